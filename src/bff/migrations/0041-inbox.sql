-- What the bell shows an account beside what failed, which the ledger knows.
create table inbox_item (
  id bigint generated always as identity primary key,
  account_id uuid not null references account on delete cascade,
  kind text not null check (kind in ('matches', 'notice')),
  title text not null,
  detail text,
  -- A path of the app.
  path text not null,
  at timestamptz(3) not null default now()
);
create index inbox_item_of on inbox_item (account_id, at desc);

-- All up to this moment has been seen, in whichever browser.
create table inbox_read (
  account_id uuid primary key references account on delete cascade,
  read_to timestamptz(3) not null
);

-- The audit records that people were told of, as far as they concern them: all up to this link.
create table notice_mark (
  is_single boolean primary key default true check (is_single),
  number bigint not null
);
