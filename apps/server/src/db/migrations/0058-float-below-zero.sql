-- A reversal may bring the float of a hot wallet below zero: a reorganisation takes back what funded it while sends have
-- reserved it (money.md 2.3). Every other entry that would is refused by the ledger, which has locked the account then.
ALTER TABLE accounts DISABLE TRIGGER accounts_totals;
UPDATE accounts SET guarded = false WHERE kind = 'chain:hot';
ALTER TABLE accounts ENABLE TRIGGER accounts_totals;
