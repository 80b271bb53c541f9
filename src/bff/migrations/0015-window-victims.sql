-- Organisations in lower case, each once: counted for every actor and country, which is dear where JSON is parsed for it.
alter table window_threat add column victims text[] not null default '{}';
-- JSON may escape characters that text cannot hold: they are cut out first, and before them escaped backslashes, which
-- would make escapes of what is none.
update window_threat
   set victims = array(
         select distinct lower(organization)
           from json_array_elements_text(
                  (case
                     when strpos(threat, '\u') = 0 then threat
                     else regexp_replace(replace(threat, '\\', ''), '\\u(0000|d[89a-f]..)', '', 'gi')
                   end)::json -> 'organizations') organization);
