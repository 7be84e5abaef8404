import { realtimeRoutes } from '@kassa/contract/realtime/routes.ts'

import { call } from './client.ts'

/** Returns a token and the address for one websocket of this tab. @throws RequestError */
export async function websocketToken(clientID: string): Promise<{ token: string; serverUrl: string }> {
  const { token, serverUrl } = await call(realtimeRoutes.createWebsocketToken, { query: { clientID } })
  return { token, serverUrl }
}
