import { writeFile } from 'node:fs/promises'
import { composeTable } from './compose-table.ts'
import { writeEndpoints } from './write-endpoints.ts'
import { writeSettings } from './write-settings.ts'

await writeFile('docs/contributing/endpoints.md', writeEndpoints(await composeTable()))
await writeFile('docs/operating/settings.md', writeSettings())
