-- Goes with Lanterns that know 0037.
-- Whether a person has chosen their time zone, or declined the proposed one. People with stored preferences have signed in
-- before: nothing is proposed to them.
alter table account add column has_chosen_time_zone boolean not null default false;
update account set has_chosen_time_zone = true where preferences is not null;
