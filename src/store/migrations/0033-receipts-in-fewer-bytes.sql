-- Receipts may hold a bid and an ask for a mid and its spread, ages in four bytes, and one value for all lines. Those
-- that are there stand as they are; this number keeps programs away that cannot read the others.
SELECT 1;
