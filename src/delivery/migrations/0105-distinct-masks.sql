-- Destinations whose masked forms read alike are told apart by a piece of their keyed fingerprint.
with alike as (
  select id, row_number() over (partition by account, channel, masked order by fingerprint) as place
    from delivery_destination where octet_length(sealed) > 0)
update delivery_destination destination
   set masked = masked || ' (#' || left(encode(fingerprint, 'hex'), 4) || ')'
  from alike where alike.id = destination.id and place > 1;
