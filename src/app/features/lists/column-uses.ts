import { LIKE_DOMAIN } from './read-lines.ts'

/** The uses of a column of a file. Only domains may stand in several columns. */
export const COLUMN_USES = ['none', 'name', 'domain', 'note', 'key', 'weight'] as const
export type ColumnUse = (typeof COLUMN_USES)[number]

/** Heads of columns in exports of other systems, without accents, spaces and punctuation. */
const HEADS: Readonly<Record<Exclude<ColumnUse, 'none'>, string>> = {
  name:
    'name companyname company supplier suppliername vendor vendorname organisation organization customer customername ' +
    'client partner brand legalname firma firmenname unternehmen lieferant lieferantenname kunde name1 societe ' +
    'entreprise fournisseur raisonsociale nom empresa proveedor nombre razonsocial azienda fornitore ' +
    'ragionesociale nome fornecedor leverancier bedrijf naam dostawca nazwa leverantor',
  domain:
    'domain domains domainname website websites web webpage homepage url urls site internet internetadresse webseite ' +
    'domane domanen siteweb sitoweb sitioweb paginaweb dominio dominios domaine domaines domein domena',
  note:
    'note notes comment comments remark remarks description bemerkung bemerkungen notiz kommentar beschreibung ' +
    'commentaire remarque nota notas comentario observaciones commento opmerking uwagi',
  key:
    'key id number reference ref supplierid suppliernumber vendorid vendornumber customerid nummer referenz ' +
    'lieferantennummer kreditor kreditorennummer kundennummer numero identifiant referencia riferimento codice',
  weight:
    'weight criticality critical priority importance gewicht kritikalitat prioritat wichtigkeit criticite priorite ' +
    'criticidad prioridad criticita priorita',
}
const USE_OF_HEAD = new Map(
  COLUMN_USES.flatMap((use) =>
    use === 'none' ? [] : HEADS[use].split(' ').map((head): [string, ColumnUse] => [head, use]),
  ),
)
const SAMPLE_COUNT = 50

/** How the columns of a file are understood. */
export type Columns = { uses: ColumnUse[]; hasHead: boolean }

/**
 * Reads how columns are used from their heads, in any order. In a file without heads, a column whose cells are mostly
 * domains holds domains, and the first other one names.
 */
export function guessColumns(rows: readonly (readonly string[])[]): Columns {
  const [first = []] = rows
  const heads = first.map((cell) => USE_OF_HEAD.get(plainWord(cell)) ?? 'none')
  const hasHead = heads.some((use) => use !== 'none')
  const body = rows.slice(hasHead ? 1 : 0, SAMPLE_COUNT)
  const width = rows.slice(0, SAMPLE_COUNT).reduce((most, row) => Math.max(most, row.length), 0)
  const uses: ColumnUse[] = []
  for (let at = 0; at < width; at++) {
    const use = hasHead ? (heads[at] ?? 'none') : isOfDomains(body, at) ? 'domain' : 'none'
    uses.push(use !== 'domain' && uses.includes(use) ? 'none' : use)
  }
  if (!uses.includes('name')) {
    const free = uses.indexOf('none')
    if (free >= 0) uses[free] = 'name'
  }
  return { uses, hasHead }
}

/** Gives a column another use. The column that had it loses it, except for domains. */
export function changeUse(uses: readonly ColumnUse[], column: number, use: ColumnUse): ColumnUse[] {
  const isSingle = use !== 'domain' && use !== 'none'
  return uses.map((before, at) => {
    if (at === column) return use
    return isSingle && before === use ? 'none' : before
  })
}

function plainWord(head: string): string {
  return head
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function isOfDomains(rows: readonly (readonly string[])[], column: number): boolean {
  const cells = rows.map((row) => row[column]?.trim() ?? '').filter(Boolean)
  return cells.length > 0 && cells.filter((cell) => LIKE_DOMAIN.test(cell)).length * 2 > cells.length
}
