import { devicesRoutes } from '@kassa/contract/devices/routes.ts'
import { queryOptions } from '@tanstack/react-query'

import { call } from './client.ts'
import { useChange } from './intent.ts'

/** A device pairs itself: nothing is pressed here. */
const WATCH_MS = 5_000

/** The signing devices that are paired. */
export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: async ({ signal }) => (await call(devicesRoutes.listDevices, {}, { signal })).devices,
  refetchInterval: WATCH_MS,
})

/** Asks for the code that pairs one device; the operator shows that it is them. @throws RequestError */
export function openPairing() {
  return call(devicesRoutes.openPairing, {})
}

/** Returns the function that unpairs a device, and resolves to what became of it. @throws RequestError */
export function useUnpairDevice(): (id: number) => Promise<string> {
  const once = useChange('devices')
  return async (id) => {
    const { message } = await once(['unpair', id], (idempotencyKey) =>
      call(devicesRoutes.unpairDevice, { params: { id } }, { idempotencyKey }),
    )
    return message
  }
}
