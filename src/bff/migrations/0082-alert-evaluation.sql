-- Alert profiles are evaluated from the change log, each from where it was.

-- All records that were published up to then have been evaluated: where everything is read anew, later ones are new.
alter table change_reader add known_to timestamptz;
insert into change_reader (name, cursor, known_to)
select 'alerts', last, (select read_to from watch_mark) from threat_change_counter
on conflict (name) do nothing;
drop table watch_mark;

-- How far each profile was evaluated.
create table alert_evaluation (
  profile_id text primary key,
  -- What the profile searched for then. What matched a changed profile before its change is not sent.
  criteria text not null,
  -- The last change that was evaluated, while the profile cannot be evaluated; null where it is up to date.
  stopped_at bigint
);

-- Which threats a profile has matched. Each is sent once, and once more when it rises to critical.
create table alert_match (
  profile_id text not null,
  threat_id text collate "C" not null,
  is_critical boolean not null,
  at timestamptz not null default now(),
  primary key (profile_id, threat_id)
);
create index alert_match_at on alert_match (at);
insert into alert_match (profile_id, threat_id, is_critical)
select cause_id, threat_id, bool_or(coalesce(threat ->> 'severity', '') = 'critical')
  from delivery_match where cause_kind = 'watch' group by cause_id, threat_id;
