-- Goes with Lanterns that know 0125.
-- When an account opened the shift page, and when it had opened it in the visit before.
create table shift_visit (
  account_id uuid primary key references account on delete cascade,
  seen_at timestamptz(3) not null,
  -- Null during the first visit.
  before_at timestamptz(3)
);
