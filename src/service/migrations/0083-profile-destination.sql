-- Where a profile's messages go is the service's own: what sends them has a ledger elsewhere. Seals stay as they are, and
-- what each is bound to with its channel: before, a keyed hash of the destination; from now on, its profile and position.
alter table alert_destination
  add column channel text,
  add column sealed_to text,
  add column sealed bytea;
update alert_destination
   set channel = stored.channel, sealed_to = encode(stored.fingerprint, 'hex'), sealed = stored.sealed
  from delivery_destination stored
 where stored.id = destination_id;
alter table alert_destination
  alter column channel set not null,
  alter column sealed_to set not null,
  alter column sealed set not null,
  drop column destination_id;
-- Nobody needs those that no message went to.
delete from delivery_destination stored
 where not exists (select from delivery where destination_id = stored.id)
   and not exists (select from delivery_match where destination_id = stored.id);
