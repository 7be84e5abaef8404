/**
 * The file of a backup: one line that says how the key is derived, then the content in frames, each encrypted and authenticated
 * together with its number. A changed, missing, repeated or moved byte is detected anywhere.
 */
import { argon2, createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'

import * as z from 'zod/mini'

import type { PasswordCost } from '../config/config.ts'
import { BackupRefused } from './refused.ts'

/** Plain bytes of a frame. */
const FRAME_BYTES = 65_536
const TAG_BYTES = 16
const LENGTH_BYTES = 4
const KEY_BYTES = 32
const SALT_BYTES = 16
const MOST_HEADER_BYTES = 1_000

/** A stolen backup can be guessed at offline, so this costs four times the memory of a sign-in, and about a second. */
const BACKUP_COST: PasswordCost = { memoryKib: 262_144, passes: 3, lanes: 1 }
/** The most memory that a file may demand of the machine that reads it. */
const MOST_MEMORY_KIB = 1_048_576
const MOST_PASSES = 16
const MOST_LANES = 8

const Header = z.strictObject({
  kassaBackup: z.literal(1),
  salt: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  memoryKib: z.int().check(z.minimum(8), z.maximum(MOST_MEMORY_KIB)),
  passes: z.int().check(z.minimum(1), z.maximum(MOST_PASSES)),
  lanes: z.int().check(z.minimum(1), z.maximum(MOST_LANES)),
  /** Distinguishes a wrong passphrase from a damaged file. */
  check: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  sum: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})
type Header = z.output<typeof Header>
type Facts = Omit<Header, 'check' | 'sum'>

/** Encrypts the content with a passphrase, frame by frame. */
export async function* seal(
  content: AsyncIterable<Buffer>,
  passphrase: string,
  cost: PasswordCost = BACKUP_COST,
): AsyncGenerator<Buffer, void> {
  const facts: Facts = { kassaBackup: 1, salt: randomBytes(SALT_BYTES).toString('hex'), ...cost }
  const keys = await deriveKeys(passphrase, facts)
  const header = headerLine(facts, keys.check)
  yield header
  const label = createHash('sha256').update(header).digest()
  let frame = 0
  let held = Buffer.alloc(0)
  for await (const chunk of content) {
    held = Buffer.concat([held, chunk])
    for (; held.length > FRAME_BYTES; held = held.subarray(FRAME_BYTES)) {
      yield encrypt(keys.frames, label, { number: frame++, isLast: false }, held.subarray(0, FRAME_BYTES))
    }
  }
  yield encrypt(keys.frames, label, { number: frame, isLast: true }, held)
}

/** Returns the content, each frame after it was authenticated. @throws BackupRefused when a single byte differs */
export async function* unseal(file: AsyncIterable<Buffer>, keysOf: KeysOf): AsyncGenerator<Buffer, void> {
  const reader = readerOf(file)
  try {
    const line = await reader.line(MOST_HEADER_BYTES)
    const facts = readHeader(line)
    const keys = await keysOf(facts)
    if (facts.check !== keys.check) throw new BackupRefused('The passphrase is not the one this backup was made with.')
    const label = createHash('sha256').update(line).digest()
    for (let number = 0, isLast = false; !isLast; number += 1) {
      const length = (await reader.exactly(LENGTH_BYTES)).readUInt32BE()
      if (length < TAG_BYTES || length > FRAME_BYTES + TAG_BYTES) throw damaged()
      const box = await reader.exactly(length)
      isLast = await reader.isAtEnd()
      yield decrypt(keys.frames, label, { number, isLast }, box)
    }
  } finally {
    await reader.close()
  }
}

function damaged(): BackupRefused {
  return new BackupRefused(
    'The backup is damaged: it is not what was written. Nothing was changed. Use another copy of it.',
  )
}

function headerLine(facts: Facts, check: string): Buffer {
  return Buffer.from(`${JSON.stringify({ ...facts, check, sum: sumOf(facts, check) })}\n`)
}

function sumOf({ kassaBackup, salt, memoryKib, passes, lanes }: Facts, check: string): string {
  return createHash('sha256').update([kassaBackup, salt, memoryKib, passes, lanes, check].join(' ')).digest('hex')
}

function readHeader(line: Buffer): Header {
  const text = line.toString()
  if (!text.startsWith('{"kassaBackup":')) throw new BackupRefused('This file is not a backup of Kassa.')
  const header = Header.safeParse(parseJson(text))
  if (!header.success || !headerLine(header.data, header.data.check).equals(line)) throw damaged()
  return header.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Keys = { readonly frames: Buffer; readonly check: string }

/** The keys of a file by its header. */
export type KeysOf = (facts: Facts) => Promise<Keys>

/**
 * Derives keys from a passphrase, once per header: a restore reads its file twice, and one derivation takes a second and 256 MiB.
 * A file that was replaced meanwhile has another salt, so its keys are derived anew.
 */
export function keysFrom(passphrase: string): KeysOf {
  const derived = new Map<string, Promise<Keys>>()
  return (facts) => {
    const { salt, memoryKib, passes, lanes } = facts
    const header = [salt, memoryKib, passes, lanes].join(' ')
    const keys = derived.get(header) ?? deriveKeys(passphrase, facts)
    derived.set(header, keys)
    return keys
  }
}

const derive = promisify(argon2)

async function deriveKeys(passphrase: string, { salt, memoryKib, passes, lanes }: Facts): Promise<Keys> {
  const secret = await derive('argon2id', {
    message: passphrase.normalize('NFC'),
    nonce: Buffer.from(salt, 'hex'),
    memory: memoryKib,
    passes,
    parallelism: lanes,
    tagLength: KEY_BYTES,
  })
  const frames = Buffer.from(hkdfSync('sha256', secret, '', 'kassa backup frames', KEY_BYTES))
  const check = createHmac('sha256', secret).update('kassa backup passphrase').digest('hex')
  return { frames, check }
}

type Place = { readonly number: number; readonly isLast: boolean }

/** The key belongs to this file alone, so a counter is never used twice with it. */
function nonceOf({ number, isLast }: Place): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number))
  nonce.writeUInt8(isLast ? 1 : 0, 11)
  return nonce
}

function encrypt(key: Buffer, label: Buffer, place: Place, plain: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(place), { authTagLength: TAG_BYTES }).setAAD(label)
  const box = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(box.length)
  return Buffer.concat([length, box])
}

function decrypt(key: Buffer, label: Buffer, place: Place, box: Buffer): Buffer {
  const cipher = createDecipheriv('aes-256-gcm', key, nonceOf(place), { authTagLength: TAG_BYTES })
  cipher.setAAD(label).setAuthTag(box.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([cipher.update(box.subarray(0, -TAG_BYTES)), cipher.final()])
  } catch {
    throw damaged()
  }
}

/** Takes so many bytes at a time from pieces of any size. */
function readerOf(file: AsyncIterable<Buffer>) {
  const pieces = file[Symbol.asyncIterator]()
  let held = Buffer.alloc(0)
  const more = async (): Promise<boolean> => {
    const piece = await pieces.next()
    if (!piece.done) held = Buffer.concat([held, piece.value])
    return !piece.done
  }
  const take = (bytes: number): Buffer => {
    const taken = held.subarray(0, bytes)
    held = held.subarray(bytes)
    return taken
  }
  return {
    line: async (most: number): Promise<Buffer> => {
      while (!held.includes('\n') && held.length <= most && (await more()));
      return take(Math.min(held.indexOf('\n') + 1 || held.length, most))
    },
    exactly: async (bytes: number): Promise<Buffer> => {
      while (held.length < bytes) if (!(await more())) throw damaged()
      return take(bytes)
    },
    isAtEnd: async (): Promise<boolean> => held.length === 0 && !(await more()),
    close: async () => void (await pieces.return?.()),
  }
}
