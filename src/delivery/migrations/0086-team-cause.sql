-- Whether every analyst may read its messages: those of profiles in the account at the source, which the team shares.
alter table delivery_cause add column is_team boolean not null default false;
update delivery_cause set is_team = true where kind = 'profile';
