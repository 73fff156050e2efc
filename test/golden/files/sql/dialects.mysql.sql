-- sql/dialects/key-list.ts numberList
(?, ?);
-- 1
-- 2

-- sql/dialects/key-list.ts numberList, the least
(?);

-- sql/dialects/key-list.ts keyList
(?, ?);
-- "keys-1"
-- "keys-2"

-- sql/dialects/key-list.ts keyList, keys[] = 1
(?);

-- sql/dialects/key-list.ts inlineText
_utf8mb4 0x74657874;

-- sql/dialects/key-list.ts amongNumbers
IN (?, ?);
-- 1
-- 2

-- sql/dialects/key-list.ts amongNumbers, the least
IN (?);

-- sql/dialects/key-list.ts amongKeys
IN (?, ?);
-- "keys-1"
-- "keys-2"

-- sql/dialects/key-list.ts amongKeys, keys[] = 1
IN (?);

-- sql/dialects/mysql.dialect.ts keepMark
IF(LAST_INSERT_ID(IF(LAST_INSERT_ID() BETWEEN ? AND ?, LAST_INSERT_ID() + 1, ?)) > 0, VALUES(`key`), VALUES(`key`));
-- a large number
-- a large number
-- a large number
