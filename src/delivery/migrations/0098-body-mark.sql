-- When the ledger noted that the message may arrive from then on. Null before: nothing of it has left.
alter table delivery_attempt add column body_from timestamptz;
-- What earlier versions were sending in that moment may have left.
update delivery_attempt set body_from = started_at where outcome is null or outcome = 'unclear';
