import { createServer, type OutgoingHttpHeaders } from 'node:http'

/**
 * Node's own server at its best: answers every client with the headers in its first argument (JSON) and the bytes of
 * standard input. Prints its port on standard output.
 */
const headers: OutgoingHttpHeaders = JSON.parse(process.argv[2] ?? '{}')
const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk)
const body = Buffer.concat(chunks)

const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address && typeof address === 'object') console.log(address.port)
})
