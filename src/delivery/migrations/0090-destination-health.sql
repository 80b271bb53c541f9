-- Goes with Lanterns that know 0088.
-- Whether messages reach a destination. It outlives the ledger's entries.
alter table delivery_destination
  -- When it last accepted a message. Null where it never has.
  add column proven_at timestamptz,
  -- Since when it accepts none. Null where its last answer was an acceptance, or there was none yet.
  add column failing_since timestamptz,
  -- How the last attempt failed, as the ledger has it.
  add column fault_code text,
  add column fault text,
  add constraint delivery_destination_fault check ((failing_since is null) = (fault is null));

update delivery_destination destination
   set proven_at = accepted.at
  from (select destination_id, max(ended_at) as at
          from delivery join delivery_attempt on delivery_id = delivery.id
         where outcome = 'accepted' group by destination_id) accepted
 where destination_id = destination.id;
update delivery_destination destination
   set failing_since = failed.since, fault_code = failed.code, fault = failed.excerpt
  from (select destination_id, min(attempt.ended_at) as since, (array_agg(attempt.code order by attempt.ended_at desc))[1] as code,
               (array_agg(excerpt order by attempt.ended_at desc))[1] as excerpt
          from delivery join delivery_attempt attempt on delivery_id = delivery.id
          join delivery_destination on delivery_destination.id = destination_id
         where outcome <> 'accepted' and not is_abandoned and attempt.ended_at > coalesce(proven_at, '-infinity')
         group by destination_id) failed
 where destination_id = destination.id;
