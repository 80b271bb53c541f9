-- How many characters all texts have together: whether another one fits is known without reading them.
create table full_text_size (
  is_only boolean primary key default true check (is_only),
  characters bigint not null
);
insert into full_text_size (characters) select coalesce(sum(length), 0) from full_text;
