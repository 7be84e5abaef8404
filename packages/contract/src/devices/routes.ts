import * as z from 'zod/mini'

import { id, Message } from '../kit/codecs.ts'
import { route } from '../kit/route.ts'
import { DevicePairing, Devices, PairedDevice, PairingCode, SystemDetails } from './schemas.ts'

export const devicesRoutes = {
  getSystemDetails: route({
    id: 'C7',
    methods: ['GET'],
    paths: ['/system'],
    summary: 'Read what the QR code of this server says, with a code that pairs a signing device',
    access: { operator: true },
    rate: 'dashboard',
    response: SystemDetails,
    errors: [],
  }),
  openPairing: route({
    id: 'C8',
    methods: ['POST'],
    paths: ['/system/pair/code'],
    summary: 'Ask for a code that pairs one signing device within five minutes; C7 shows the same one',
    access: { permission: 'system:operate', stepUp: 'S' },
    rate: 'dashboard',
    response: PairingCode,
    errors: [],
    keyless: true,
  }),
  pairDevice: route({
    id: 'C8',
    methods: ['POST'],
    paths: ['/system/pair'],
    summary: 'Pair a signing device: it may fetch batches of sweeps and give them back signed',
    access: { public: true },
    rate: 'auth',
    body: DevicePairing,
    response: PairedDevice,
    status: 201,
    errors: ['PAIRING_CODE_INVALID'],
    // A wrong try is counted although the call is refused.
    repeatable: true,
    secrets: ['key'],
  }),
  listDevices: route({
    id: 'C8',
    methods: ['GET'],
    paths: ['/system/devices'],
    summary: 'List the paired signing devices',
    access: { permission: 'system:operate' },
    rate: 'dashboard',
    response: Devices,
    errors: [],
  }),
  unpairDevice: route({
    id: 'C8',
    methods: ['DELETE'],
    paths: ['/system/devices/{id}'],
    summary: 'Unpair a signing device: its key opens nothing from now on',
    access: { permission: 'system:operate' },
    rate: 'dashboard',
    params: z.object({ id }),
    response: Message,
    errors: ['DEVICE_NOT_FOUND'],
  }),
} as const
