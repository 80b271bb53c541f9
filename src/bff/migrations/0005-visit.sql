-- When an account was here, and when it left the time before: what it has missed since.
create table visit (
  account_id uuid primary key references account on delete cascade,
  -- The last request that a person made in any session, to the minute.
  seen_at timestamptz not null,
  -- The end of the visit before; null during the first.
  left_at timestamptz
);

-- Sessions go when they end, and are written from several places; no visit may be forgotten for that.
create function note_visit() returns trigger language plpgsql as $$
begin
  insert into visit (account_id, seen_at) values (new.account_id, new.seen_at)
  on conflict (account_id) do update set
    left_at = case
      when excluded.seen_at - visit.seen_at > interval '30 minutes' then visit.seen_at
      else visit.left_at
    end,
    seen_at = greatest(visit.seen_at, excluded.seen_at);
  return null;
end
$$;
create trigger session_notes_visit after insert or update of seen_at on session
  for each row execute function note_visit();
