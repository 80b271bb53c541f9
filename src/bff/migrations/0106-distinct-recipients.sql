-- The same of the recipients of a profile.
with alike as (
  select id, row_number() over (partition by profile_id, channel, masked order by fingerprint) as place
    from alert_recipient where masked is not null)
update alert_recipient recipient
   set masked = masked || ' (#' || left(encode(fingerprint, 'hex'), 4) || ')'
  from alike where alike.id = recipient.id and place > 1;
