-- Goes with Lanterns that know 0117.
-- Who of the team deals with a threat: taken by oneself, or assigned by somebody.
alter table triage_state
  add column owner_id uuid references account on delete set null,
  add column owned_at timestamptz(3),
  -- E-mail of the account that assigned it.
  add column owned_by text;
create index triage_state_owner on triage_state (owner_id) where owner_id is not null;

alter table triage_event
  drop constraint triage_event_action_check,
  add constraint triage_event_action_check
    check (action in ('read', 'unread', 'star', 'unstar', 'dismiss', 'restore', 'note', 'undo', 'assign', 'release')),
  -- Whom it was assigned to.
  add column owner_id uuid references account on delete set null;
