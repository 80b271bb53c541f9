-- A job of a profile that fails: `waiting` writes its digest and what waited for the end of quiet hours, `proof` its
-- weekly test. It is tried again at `retry_at`. The row ends with the fault.
create table alert_fault (
  profile_id uuid not null references alert_profile on delete cascade,
  job text not null check (job in ('waiting', 'proof')),
  since timestamptz not null,
  retry_at timestamptz not null,
  primary key (profile_id, job)
);
