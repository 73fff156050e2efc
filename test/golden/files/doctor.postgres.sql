-- doctor/run-checks.ts countOf
SELECT count(*) AS count FROM ("rows" LIMIT 1001) AS counted;
