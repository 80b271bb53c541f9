/** The server reports these facts of a request once it is answered. */
export type RequestFacts = {
  id: string
  /** The line of the route table that answers; null while none does. */
  route: string | null
}

export type BffEnvironment = {
  /** The facts of a connection, read through trusted proxies. Undefined for a request made without a server. */
  Bindings: { peerAddress?: string | undefined; facts?: RequestFacts | undefined }
  Variables: { requestId: string }
}
