/** Signing devices, and the code that pairs one (api.md C7, C8). */
import * as z from 'zod/mini'

import { id, ts } from '../kit/codecs.ts'
import { text } from '../kit/fields.ts'

/**
 * The content of this server's QR code: where it is reached, empty until that is set. `code` pairs one signing device within
 * five minutes; null for a caller who may not pair one, or has not recently proved presence.
 */
export const SystemDetails = z.object({
  code: z.nullable(z.string().check(z.regex(/^\d{6}$/))),
  frontendServer: z.string(),
  backendServer: z.string(),
  server: z.string(),
  blockchainNetwork: z.enum(['mainnet', 'testnet', 'sandbox']),
})
export type SystemDetails = z.output<typeof SystemDetails>

export const PairingCode = z.object({ code: z.string(), expiresAt: ts })

/** What a device states. The server checks the public key (Ed25519, 32 bytes in base64 or hex). */
export const DevicePairing = z.object({
  code: text('Code', { max: 20 }),
  deviceName: text('Device name', { max: 100 }),
  publicKey: text('Public key', { max: 200 }),
})

/** The key is shown once. It gives access to batches of sweeps and nothing else. */
export const PairedDevice = z.object({
  key: z.nullable(z.string()),
  projects: z.array(z.object({ id, name: z.string() })),
})

export const Device = z.object({
  id,
  name: z.string(),
  /** Of its public key: the first 16 hex digits of its SHA-256. */
  fingerprint: z.string(),
  pairedBy: z.object({ id, name: z.string(), email: z.string() }),
  pairedAt: ts,
  lastUsedAt: z.nullable(ts),
})

export type Device = z.output<typeof Device>

export const Devices = z.object({ devices: z.array(Device) })
