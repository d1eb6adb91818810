-- The search of filings compares folded texts, as that of markets does. `folded` is a function of the program.
DROP TRIGGER filing_search_gains;
DROP TRIGGER filing_search_follows;

INSERT INTO filing_search (filing_search) VALUES ('delete-all');
INSERT INTO filing_search (rowid, org, description, product_name, product_type, products_affected, filing_id)
SELECT filing_id, folded(org), folded(description), folded(product_name), folded(product_type), folded(products_affected), filing_id
FROM filings;

CREATE TRIGGER filing_search_gains AFTER INSERT ON filings BEGIN
  INSERT INTO filing_search (rowid, org, description, product_name, product_type, products_affected, filing_id)
  VALUES (new.filing_id, folded(new.org), folded(new.description), folded(new.product_name), folded(new.product_type),
    folded(new.products_affected), new.filing_id);
END;

CREATE TRIGGER filing_search_follows
AFTER UPDATE OF org, description, product_name, product_type, products_affected ON filings BEGIN
  INSERT INTO filing_search (filing_search, rowid, org, description, product_name, product_type, products_affected, filing_id)
  VALUES ('delete', old.filing_id, folded(old.org), folded(old.description), folded(old.product_name),
    folded(old.product_type), folded(old.products_affected), old.filing_id);
  INSERT INTO filing_search (rowid, org, description, product_name, product_type, products_affected, filing_id)
  VALUES (new.filing_id, folded(new.org), folded(new.description), folded(new.product_name), folded(new.product_type),
    folded(new.products_affected), new.filing_id);
END;
