import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountOf, checksumAddress } from '@kassa/keys/address-text.ts'
import { approveCall, delegateOf, EVERYTHING, faultOfSignature, type Permission } from '@kassa/keys/evm/permission.ts'
import { permissionJson, readSignature } from '@kassa/keys/evm/permission-json.ts'
import { tronText } from '@kassa/keys/tron/address.ts'
import {
  readTronPermission,
  readTronSignature,
  tronApproveCall,
  tronPermissionJson,
} from '@kassa/keys/tron/permission.ts'
import type { NewTransaction } from '@kassa/keys/tron/transaction.ts'
import { describe, expect, it } from 'vitest'

import { signerPage } from '../build.ts'
import { readJob } from './job.ts'
import { addPin, readAddress, readPins, usualMostFee } from './pins.ts'
import { newPhrase, openSeed, readPhrase } from './seed.ts'
import { selfTest } from './self-test.ts'
import { explainJob, signJob } from './sign-job.ts'

const PHRASE = 'test test test test test test test test test test test junk'
const seed = openSeed(PHRASE)
const PATH = "m/44'/60'/0'/0/3"
const FROM = seed.withKey(PATH, (_, publicKey) => checksumAddress(accountOf(publicKey)))
const place = (byte: number) => checksumAddress(new Uint8Array(20).fill(byte))
const [TOKEN, VAULT, COLLECTOR, THIEF] = [place(0xaa), place(0xbb), place(0xcc), place(0xdd)]

const pins = addPin(
  { fingerprint: seed.fingerprint, chains: [] },
  { chainId: 31_337, vault: VAULT, collector: COLLECTOR, mostFee: usualMostFee(VAULT) },
)

const TX = { chainId: 31_337n, nonce: 0n, tip: 1n, feeCap: 10n ** 10n, gas: 60_000n, to: TOKEN, value: 0n }
const approve = (spender = VAULT): Permission => ({
  ...{ kind: 'approve_tx', from: FROM },
  tx: { ...TX, data: approveCall(spender) },
})
const permit = (spender = VAULT): Permission => ({
  ...{ kind: 'permit', from: FROM },
  domain: { name: 'USD Coin', version: '2', chainId: 31_337n, verifyingContract: TOKEN },
  message: { owner: FROM, spender, value: EVERYTHING, nonce: 0n, deadline: EVERYTHING },
})
const authorization = (address = delegateOf(VAULT), chainId = 31_337n): Permission => ({
  ...{ kind: 'authorization', from: FROM },
  authorization: { chainId, address, nonce: 0n },
})
const transfer = (to = COLLECTOR): Permission => ({
  ...{ kind: 'transfer_tx', from: FROM },
  tx: { ...TX, to, value: 5n, gas: 21_000n, data: '0x' },
})

/** A job as K13 gives it, of one address. */
const job = (permission: Permission, over: object = {}) =>
  JSON.stringify({
    ...{ batchID: '7', blockchainCode: 'ETH', currencyCode: 'USDC', expiresAt: null },
    currencyAddress: permission.kind === 'transfer_tx' || permission.kind === 'authorization' ? null : TOKEN,
    // Whatever a job says of vault and collector is not looked at.
    contract: { id: 1, address: THIEF, fundCollectorAddress: THIEF },
    data: [
      { addressID: 12, address: FROM, path: PATH, state: 'pending-approval', approval: permissionJson(permission) },
    ],
    ...over,
  })

const signText = (text: string, known = pins) => signJob(readJob(text), known, seed)

describe('the signer', () => {
  it.each([
    ['approve', approve()],
    ['permit', permit()],
    ['authorization', authorization()],
    ['transfer', transfer()],
  ])('signs %s for the pinned vault and collector', (_, permission) => {
    const { batchID, signatures } = signText(job(permission))
    expect(batchID).toBe('7')
    expect(signatures).toHaveLength(1)
    expect(signatures[0]?.addressID).toBe(12)
    const signed = readSignature(permission.kind, signatures[0])
    expect(signed && faultOfSignature(permission, signed)).toBeNull()
  })

  it.each([
    ['another spender', approve(THIEF), 'somebody else than your vault'],
    ['a permit for another spender', permit(THIEF), 'somebody else than your vault'],
    ['code of another vault', authorization(delegateOf(THIEF)), 'code that does not belong to your vault'],
    ['a delegation on every chain', authorization(delegateOf(VAULT), 0n), 'of network 0 first'],
    ['a transfer elsewhere', transfer(THIEF), 'somebody else than your collector'],
    [
      'a fee that eats the coins',
      { ...transfer(), tx: { ...TX, to: COLLECTOR, value: 5n, data: '0x', feeCap: 10n ** 15n } } as Permission,
      'fee',
    ],
  ])('cannot be made to sign %s by a hostile job', (_, permission, reason) => {
    expect(() => signText(job(permission))).toThrow(reason)
  })

  it('signs nothing of a job with one bad address among good ones', () => {
    const rows = [approve(), { ...approve(THIEF), from: THIEF }].map((permission, at) => ({
      ...{ addressID: at + 1, address: permission.from, path: PATH, approval: permissionJson(permission) },
    }))
    const text = job(approve(), { data: rows })
    expect(explainJob(readJob(text), pins, seed).map(({ refusal }) => refusal === null)).toEqual([true, false])
    expect(() => signText(text)).toThrow('Nothing was signed')
  })

  const row = { addressID: 1, path: PATH, approval: permissionJson(approve()) }
  const again: Permission = {
    kind: 'approve_tx',
    from: FROM.toLowerCase(),
    tx: { ...TX, nonce: 1n, data: approveCall(VAULT) },
  }
  const NEXT = { path: "m/44'/60'/0'/0/03", approval: permissionJson(again) }
  it.each([
    ['what is no JSON', 'no JSON', 'This is no job file'],
    ['a job without a batch', '{}', 'names no batch'],
    ['a job without addresses', job(approve(), { data: [] }), 'nothing to sign'],
    ['a path of another wallet', job(approve(), { data: [{ ...row, path: "m/0'/0" }] }), 'path'],
    [
      'another kind of message',
      job(approve(), { data: [{ ...row, approval: { kind: 'personal_sign' } }] }),
      'cannot be read',
    ],
    ['an address twice', job(approve(), { data: [row, row] }), 'twice'],
    ['an address under two numbers', job(approve(), { data: [row, { ...row, addressID: 2, ...NEXT }] }), 'twice'],
  ])('does not read %s', (_, text, reason) => {
    expect(() => readJob(text)).toThrow(reason)
  })

  it('asks whose seed it is when an address is not of it', () => {
    const text = job(approve(), {
      data: [{ addressID: 1, path: "m/44'/60'/0'/0/4", approval: permissionJson(approve()) }],
    })
    expect(() => signText(text)).toThrow('Is it the seed of another wallet?')
  })

  it('has no pins until a person enters them, and keeps them then', () => {
    expect(() => signText(job(approve()), { fingerprint: seed.fingerprint, chains: [] })).toThrow('Enter the vault')
    const other = { chainId: 31_337, vault: THIEF, collector: THIEF, mostFee: '1' }
    expect(() => addPin(pins, other)).toThrow('pinned to vault')
    expect(readPins(JSON.stringify(pins), seed.fingerprint)).toEqual(pins)
    expect(readPins(JSON.stringify(pins), '00000000').chains).toEqual([])
    expect(readAddress(FROM.replace(/[A-F]/, (letter) => letter.toLowerCase()))).toBeNull()
  })

  it('makes 24 random words, and passes its own test', () => {
    selfTest()
    const [one, other] = [newPhrase('1 2 3'), newPhrase('1 2 3')]
    expect(one.split(' ')).toHaveLength(24)
    expect(readPhrase(one)).toBe(one)
    expect(one).not.toBe(other)
    expect(seed.xpub("m/44'/60'/0'")).toMatch(/^xpub/)
  })
})

describe('the signer on TRON', () => {
  const path = "m/44'/195'/0'/0/3"
  const own = seed.withKey(path, (_, publicKey) => accountOf(publicKey))
  const bytes = (byte: number) => new Uint8Array(20).fill(byte)
  const [token, vault, collector, thief] = [bytes(0xaa), bytes(0xbb), bytes(0xcc), bytes(0xdd)]
  const known = addPin(pins, {
    ...{ chainId: 31_341, vault: tronText(vault), collector: tronText(collector) },
    mostFee: usualMostFee(tronText(vault)),
  })
  const call = (data: Uint8Array, change: object = {}): NewTransaction['message'] => ({
    ...{ kind: 'call', from: own, to: token, units: 0n, data },
    ...change,
  })
  const sends = (to: Uint8Array, change: object = {}): NewTransaction['message'] => ({
    ...{ kind: 'transfer', from: own, to, units: 5_000_000n },
    ...change,
  })
  const asked = (message: NewTransaction['message'], feeLimit = message.kind === 'call' ? 6_000_000n : 0n) => {
    const times = { createdAt: new Date(1_800_000_000_000), expiresAt: new Date(1_800_043_200_000) }
    const tx = {
      ...times,
      message,
      feeLimit,
      refBlock: { bytes: Uint8Array.of(1, 2), hash: new Uint8Array(8).fill(9) },
    }
    const kind = message.kind === 'call' ? ('approve_tx' as const) : ('transfer_tx' as const)
    return tronPermissionJson({ kind, from: tronText(own), chainId: 31_341n, tx }, 7_000_000n)
  }
  const jobOf = (approval: ReturnType<typeof asked>, over: object = {}) =>
    JSON.stringify({
      ...{ batchID: '7', blockchainCode: 'TRX', currencyCode: 'USDT' },
      currencyAddress: approval.kind === 'approve_tx' ? tronText(token) : null,
      data: [{ addressID: 12, path, approval }],
      ...over,
    })

  it.each([
    ['an approval of the vault', asked(call(tronApproveCall(vault)))],
    ['a transfer to the collector', asked(sends(collector))],
  ])('signs %s, and exactly those bytes', (_, approval) => {
    const [signed] = signText(jobOf(approval), known).signatures
    const permission = readTronPermission(approval)
    const text = signed && 'signedTransaction' in signed ? signed.signedTransaction : ''
    if (!permission) throw new Error('It is none')
    expect(readTronSignature(permission, Buffer.from(text.slice(2), 'hex')).kind).toBe('signed')
    const other = readTronPermission(asked(call(tronApproveCall(thief))))
    if (!other) throw new Error('It is none')
    expect(readTronSignature(other, Buffer.from(text.slice(2), 'hex'))).toMatchObject({ fault: 'call' })
  })

  it.each([
    ['approves somebody else', asked(call(tronApproveCall(thief))), 'somebody else than your vault'],
    ['approves another token', asked(call(tronApproveCall(vault), { to: thief })), 'another token'],
    ['sends coins with it', asked(call(tronApproveCall(vault), { units: 1n })), 'an amount that it must not'],
    ['transfers the token', asked(call(Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb))), 'something else'],
    ['burns more than is usual', asked(call(tronApproveCall(vault)), 15_000_001n), 'network fee'],
    ['sends TRX to somebody else', asked(sends(thief)), 'somebody else than your collector'],
    ['is of another address', asked(sends(collector, { from: thief })), 'of another address'],
    [
      'hides it behind other words',
      { ...asked(call(tronApproveCall(thief))), to: tronText(token), data: `0x${'00'.repeat(68)}` },
      'somebody else than your vault',
    ],
  ])('cannot be made to sign what %s', (_, approval, reason) => {
    expect(() => signText(jobOf(approval), known)).toThrow(reason)
  })

  it('reads no bytes that say more than a transfer or a call: a memo, a permission of many keys', () => {
    const approval = asked(sends(collector))
    const memo = `${approval.rawData}5204deadbeef`
    expect(() => readJob(jobOf({ ...approval, rawData: memo }))).toThrow('cannot be read')
  })

  it('pins no vault of one network with a collector of another', () => {
    const mixed = { chainId: 1, vault: tronText(vault), collector: COLLECTOR, mostFee: '1' }
    expect(() => addPin(pins, mixed)).toThrow('one network')
    expect(readAddress(`${tronText(vault).slice(0, -1)}1`)).toBeNull()
  })
})

describe('the signer as one file', () => {
  it('has the same bytes each time, no reference to anything outside, and may connect to nothing', async () => {
    const page = await signerPage()
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    expect(hash(await signerPage())).toBe(hash(page))
    expect(page).toContain("connect-src 'none'")
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/(src|href)="(?!data:)/)
    expect(page).not.toMatch(/fetch\(|XMLHttpRequest|WebSocket|import\(/)
  })

  it('signs at a shell what it signs in a page', () => {
    const folder = mkdtempSync(join(tmpdir(), 'kassa-signer-'))
    try {
      const run = (lines: string, ...args: string[]) =>
        execFileSync(
          process.execPath,
          [join(import.meta.dirname, 'command.ts'), ...args, '--pins', join(folder, 'pins.json')],
          {
            ...{ cwd: folder, input: lines, encoding: 'utf8' },
            stdio: ['pipe', 'pipe', 'ignore'],
          },
        )
      run(`${PHRASE}\n`, 'pin', '--network', '31337', '--vault', VAULT, '--collector', COLLECTOR)
      writeFileSync(join(folder, 'job.json'), job(permit()))
      expect(run(`${PHRASE}\nyes\n`, 'sign', join(folder, 'job.json'))).toContain('Signed')
      expect(JSON.parse(readFileSync(join(folder, 'signatures.json'), 'utf8'))).toEqual(signText(job(permit())))
      writeFileSync(join(folder, 'job.json'), job(permit(THIEF)))
      expect(() => run(`${PHRASE}\nyes\n`, 'sign', join(folder, 'job.json'))).toThrow('Command failed')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
