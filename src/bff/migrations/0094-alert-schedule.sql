-- When the messages of a profile go: at once, but for its quiet hours, or in a digest.
alter table alert_profile
  add schedule jsonb not null default '{"kind": "atOnce", "quiet": null}',
  -- When the next digest is due.
  add digest_due timestamptz,
  -- When the digest before was written, or the profile began to have digests.
  add digest_since timestamptz,
  add constraint alert_profile_digest_check check (
    (schedule ->> 'kind' = 'atOnce') = (digest_due is null) and (digest_due is null) = (digest_since is null));

alter table alert_match
  -- What was matched before its profile began is known. What waits for a digest or the end of quiet hours is kept as messages show it.
  add state text not null default 'enqueued' check (state in ('known', 'enqueued', 'waiting')),
  add threat jsonb,
  add constraint alert_match_threat_check check ((state = 'waiting') = (threat is not null));
alter table alert_match alter state drop default;
create index alert_match_waiting on alert_match (profile_id) where state = 'waiting';
