/** Ids that criminals could choose, by what is odd about them. */
export const AWKWARD_IDS = {
  slashes: 'posts/2026/leak',
  spaces: ' id with  spaces ',
  'other scripts': 'утечка/日本-👩‍🚀',
  'a dot': '.',
  'two dots': '..',
  'a way up': '../../alerts',
  'a way up, encoded': '%2e%2e%2fmetrics',
  'an address': 'https://evil.example/post?id=7#top',
  'percent signs': '100%25 %zz',
  markup: '"><img src=x onerror=alert(1)>',
  backslashes: 'a\\b;c=d',
  'two hundred characters': 'x'.repeat(200),
  'six hundred characters': 'y/'.repeat(300),
  NUL: 'nul\0byte',
  'half a character': 'half\ud800',
  'lines of a header': 'a\r\nset-cookie: b=c',
  'a mark of ours': '~.',
  'a hash like ours': `sha256:${'a'.repeat(64)}`,
  'a bidi override': 'invoice\u202egpj',
} as const

/** Those that no path can carry to a vendor without a chance that it means another. */
export const UNASKABLE: ReadonlySet<keyof typeof AWKWARD_IDS> = new Set([
  'a dot',
  'two dots',
  'a way up',
  'a way up, encoded',
  'NUL',
  'half a character',
  'lines of a header',
])
