-- What a vendor reported of its limits is called so. Quotes within a text are escaped: only names of members are replaced.
update call_budget
   set state = replace(replace(state::text, '"toldBy":', '"reportedBy":'), '"toldAtMs":', '"reportedAtMs":')::jsonb;
