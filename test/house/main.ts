import { readFile } from 'node:fs/promises'
import { readSourceFiles } from '../support/architecture/source-file.ts'
import { measureHouse } from './measure-house.ts'

const figures = measureHouse(readSourceFiles(), await readFile('README.md', 'utf8'))
const count = new Intl.NumberFormat('en')
for (const { name, value, most } of figures) {
  const verdict = value <= most ? 'met' : 'above'
  console.log(
    `${name.padEnd(40)}${count.format(value).padStart(8)}  of ${count.format(most).padStart(6)}  ${verdict}`,
  )
}
