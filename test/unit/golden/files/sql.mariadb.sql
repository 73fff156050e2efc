-- sql/servers.ts selectLockHolders
SELECT b.trx_mysql_thread_id AS session, SUBSTRING_INDEX(p.HOST, ':', -1) AS port, CONCAT(p.USER, '@', p.HOST) AS process, b.trx_query AS statement,
      TIMESTAMPDIFF(SECOND, b.trx_started, NOW()) * 1000 AS open_ms,
      MAX(TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000) AS waited_ms
    FROM (SELECT requesting_trx_id AS waiting, blocking_trx_id AS holding FROM information_schema.INNODB_LOCK_WAITS) AS w
    JOIN information_schema.INNODB_TRX AS r ON r.trx_id = w.waiting
    JOIN information_schema.INNODB_TRX AS b ON b.trx_id = w.holding
    JOIN information_schema.PROCESSLIST AS q ON q.ID = r.trx_mysql_thread_id AND q.DB = DATABASE()
      AND q.USER = SUBSTRING_INDEX(USER(), '@', 1)
    JOIN information_schema.PROCESSLIST AS p ON p.ID = b.trx_mysql_thread_id
    WHERE TIMESTAMPDIFF(SECOND, r.trx_wait_started, NOW()) * 1000 >= 1
    GROUP BY b.trx_mysql_thread_id, p.USER, p.HOST, b.trx_query, b.trx_started ORDER BY b.trx_started LIMIT 10;
