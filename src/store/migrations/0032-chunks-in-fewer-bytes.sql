-- Chunks of prices may hold instants as a first one and a step, and numbers as hundredths in four bytes. Those that are
-- there stand as they are; this number keeps programs away that cannot read the others.
SELECT 1;
