import { createHash } from 'node:crypto'
import type { Device, SystemDetails } from '@kassa/contract/devices/schemas.ts'

import type { Config } from '../../config/config.ts'
import type { ShownDevice } from './store.ts'

type Details = {
  readonly site: string | null
  readonly backend: string | null
  readonly server: string | null
  readonly code: string | null
}

/** The content of the server's QR code; other programs call the API at a separate address only where one is set. */
export function systemDetailsView({ network }: Config, { site, backend, server, code }: Details): SystemDetails {
  return {
    code,
    frontendServer: site ?? '',
    backendServer: backend ?? '',
    server: server ?? backend ?? '',
    blockchainNetwork: network,
  }
}

/** A device, as the contract shows it. */
export function deviceView(row: ShownDevice): Device {
  return {
    id: row.id,
    name: row.name,
    fingerprint: createHash('sha256').update(row.public_key).digest('hex').slice(0, 16),
    pairedBy: { id: row.paired_by, name: row.pairer_name, email: row.pairer_email },
    pairedAt: row.paired_at,
    lastUsedAt: row.last_used_at,
  }
}
