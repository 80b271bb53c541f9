import type { ThreatRecord } from '#service/threats/threat-record.ts'

/** Members of some records, by index, as criminals really publish them: each a trap for software that shows text. */
export const HOSTILE_RECORDS: Readonly<Record<number, Partial<ThreatRecord>>> = {
  40: { title: 'Invoice \u202Egpj.exe\u202C of Velmora Castings' },
  160: { title: 'Nor\u200Bdale Cl\u200Dinics \u2060FULL D\uFEFFATA' },
  310: { title: '<img src=x onerror=alert(1)> Kasbrook Systems' },
  470: { title: 'BRYWICK.EXAMPLE FILES  *<em>PART5</em> PUBLISHED &amp; FREE' },
  640: { title: `Torvane${'A'.repeat(400)}` },
  820: { title: '🚨💰 Ostlia Savings Bank 🏴‍☠️ 40 GB 👨‍👩‍👧‍👦' },
  1010: { title: '株式会社ベルモラ 社内文書 流出', organizations: ['株式会社ベルモラ'] },
  1190: { title: 'شركة نورديل للطاقة - تسريب كامل', organizations: ['شركة نورديل للطاقة'] },
  1380: {
    title:
      'Q\u0300\u0316\u0323\u0301\u0317u\u0302\u0330\u0308e\u0303\u0331l\u0304\u032Dmora Z\u0336A\u0336L\u0336G\u0336O\u0336',
  },
  1570: { title: '=HYPERLINK("http://demo.example","Open the report")' },
  1760: { title: '[Lantern] Your session has expired, sign in at http://demo.example/login' },
  1950: { title: 'javascript:alert(document.domain)//Fenholm Telecom', sourceUrl: 'javascript:alert(1)' },
  2140: {
    title: 'Établissements Où-dit-Ça — «données» à vendre',
    organizations: ['Établissements Où-dit-Ça'],
  },
  2330: { title: 'ООО «Дравейн» — полная база', organizations: ['ООО «Дравейн»'] },
  2520: { title: '{{constructor.constructor("return 1")()}} #{7*7} %00 ../../etc/passwd' },
  2710: { title: "Robert'); drop table threat;-- O'Lumsen Legal" },
  2900: { title: 'FundaciÃ³ Saviridge d\u0092AssÃ­s', organizations: ['FundaciÃ³ Saviridge'] },
  3090: { title: 'First line\u2028second line\u2029third line\r\nfourth\tend\u001B[31m red' },
}
