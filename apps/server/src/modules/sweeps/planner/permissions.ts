import type { Context } from '../../../context.ts'
import type { SweepMethod } from '../record/service.ts'

type Asked = { readonly blockchainId: number; readonly assetId: number; readonly addressIds: readonly bigint[] }

/** How the key of an address allowed its money to be moved. */
export type ReadyPermission = {
  readonly permissionId: bigint
  readonly addressId: bigint
  readonly method: Exclude<SweepMethod, 'sweep'>
  readonly vault: string
}

/** The addresses whose keys have allowed it; those without are absent. */
export async function readyPermissions(_ctx: Context, _asked: Asked): Promise<readonly ReadyPermission[]> {
  return []
}
