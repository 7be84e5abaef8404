/** What is signed outside of the server: batches of coins that wait, and the devices that fetch them. */
import { API, type Changes, refusal } from '../answers.ts'
import { inSet, type Screen } from '../camera.ts'
import { press } from '../hand.ts'

const HOUR_MS = 3_600_000
const PAIRED = new Date(Date.now() - 40 * 24 * HOUR_MS).toISOString()
const SOON = new Date(Date.now() + 5 * 60_000).toISOString()

const BATCH = {
  id: 12,
  blockchainCode: 'BTC',
  numberOfUTXOs: 38,
  total: '1.28403917',
  fee: '0.00031244',
  destination: 'bcrt1qpyysjzgfpyysjzgfpyysjzgfpyysjzgfrwg6xw',
  status: 'pending',
  createdAt: new Date(Date.now() - HOUR_MS).toISOString(),
  expiresAt: new Date(Date.now() + 6 * 24 * HOUR_MS).toISOString(),
  txHash: 'a1'.repeat(32),
}
const SMALL = { ...BATCH, id: 13, numberOfUTXOs: 1, total: '0.0152', fee: '0.0000011' }

const DETAIL = { blockchainType: 'BTC', sweepTransactions: [] }
const BATCHES: Changes = {
  [`${API}/project/*/sweep-transactions*`]: { sweepTransactionInfo: [BATCH, SMALL], totalCount: 2 },
  [`${API}/sweep-transactions/12`]: { ...BATCH, ...DETAIL, psbt: 'cHNidP8B'.repeat(600) },
  [`${API}/sweep-transactions/13`]: { ...SMALL, ...DETAIL, psbt: 'cHNidP8B'.repeat(40) },
  [`POST ${API}/sweep-transactions/13/signature`]: refusal(409, 'SWEEP_TX_MISMATCH', 'This is another transaction.', {
    details: 'It pays another address.',
  }),
}

const PERSON = { id: 1, name: 'Ann Owner', email: 'owner@shop.example' }
const device = (id: number, name: string, lastUsedAt: string | null) => ({
  ...{ id, name, fingerprint: '00112233aabbccdd', pairedBy: PERSON, pairedAt: PAIRED, lastUsedAt },
})
const DEVICES: Changes = {
  [`${API}/system/devices`]: {
    devices: [
      device(4, 'Phone of the treasurer', BATCH.createdAt),
      device(5, 'Spare phone in the safe of the office', null),
    ],
  },
  [`POST ${API}/system/pair/code`]: { code: '042042', expiresAt: SOON },
}

/** Batches that wait, one in its drawer, long and refused; devices that are paired, and one to come. */
export function signingScreens(): readonly Screen[] {
  const funds = '/sweepIn?tabId=Funds'
  const system = '/settings/system'
  return inSet('A', [
    { name: 'batches-waiting', path: funds, shows: 'Sign 2 batches on your device', alters: BATCHES },
    {
      name: 'batch-long',
      path: `${funds}&sign=12`,
      shows: 'too long for a QR code',
      isOverlay: true,
      alters: BATCHES,
    },
    {
      name: 'batch-refused',
      path: `${funds}&sign=13`,
      shows: 'It pays another address.',
      isOverlay: true,
      alters: BATCHES,
      act: async (page) => {
        await page.getByRole('textbox', { name: 'Or paste it' }).fill('cHNidP8BA')
        await press(page, 'Send signed batch')
      },
    },
    { name: 'devices', path: system, shows: 'Spare phone', alters: DEVICES },
    {
      name: 'devices-pair',
      path: system,
      shows: '042042',
      isOverlay: true,
      alters: DEVICES,
      act: (page) => press(page, 'Pair a device'),
    },
  ])
}
