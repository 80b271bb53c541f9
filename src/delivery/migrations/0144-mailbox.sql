-- The fingerprint of an email address in lower case, the same in every spelling. Null for other channels, for erased
-- addresses, and for those that a Lantern before this column has stored, until the next destination is stored.
alter table delivery_destination add column mailbox bytea;
create index delivery_destination_of_name on delivery_destination (coalesce(mailbox, fingerprint));
create index delivery_destination_unnamed on delivery_destination (id) where channel = 'email' and mailbox is null;
