import { randomBytes } from 'node:crypto'

import { describe, expect, it } from 'vitest'

import { keysFrom, seal, unseal } from './archive.ts'

/** Cheap enough to try many files. */
const COST = { memoryKib: 8, passes: 1, lanes: 1 }
const PASSPHRASE = 'correct horse battery staple'

async function* pieces(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of source) parts.push(part)
  return Buffer.concat(parts)
}

const sealed = (content: Buffer, passphrase = PASSPHRASE) => collect(seal(pieces(content, 10_000), passphrase, COST))
const unsealed = (file: Buffer, passphrase = PASSPHRASE, size = 7_777) =>
  collect(unseal(pieces(file, size), keysFrom(passphrase)))

describe('backup.seal', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000])('gives back %i bytes, read in any pieces', async (length) => {
    const content = randomBytes(length)
    const file = await sealed(content)
    for (const size of [1_000, file.length]) expect((await unsealed(file, PASSPHRASE, size)).equals(content)).toBe(true)
  })

  it('takes a passphrase typed on any system, and no other', async () => {
    const file = await sealed(Buffer.from('content'), 'Zürich mit Grüßen')
    expect((await unsealed(file, 'Zürich mit Grüßen'.normalize('NFD'))).toString()).toBe('content')
    await expect(unsealed(file, 'Zürich mit Gruessen')).rejects.toThrow('The passphrase is not the one')
  })

  it('encrypts equal content differently each time', async () => {
    const content = Buffer.alloc(500, 'the same')
    const [one, other] = [await sealed(content), await sealed(content)]
    expect(one.subarray(-300).equals(other.subarray(-300))).toBe(false)
    expect(one.includes('the same')).toBe(false)
  })
})

describe('backup.unseal', () => {
  it('refuses a file with one changed byte, at every place', async () => {
    const file = await sealed(Buffer.alloc(300, 'some content'))
    for (let at = 0; at < file.length; at += 1) {
      const changed = Buffer.from(file)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      await expect(unsealed(changed)).rejects.toThrow(/The backup is damaged|is not a backup of Kassa/)
    }
  })

  it('refuses a file that lacks its end, has more, or frames in another order', async () => {
    const header = (file: Buffer) => file.indexOf('\n') + 1
    const file = await sealed(randomBytes(150_000))
    const frame = 4 + 65_536 + 16
    const [first, second] = [0, 1].map((n) => file.subarray(header(file) + n * frame, header(file) + (n + 1) * frame))
    const rest = file.subarray(header(file) + 2 * frame)
    const head = file.subarray(0, header(file))
    const bad = [
      file.subarray(0, -1),
      file.subarray(0, header(file) + 2 * frame),
      head,
      file.subarray(0, 40),
      Buffer.alloc(0),
      Buffer.concat([file, Buffer.from('x')]),
      Buffer.concat([head, second ?? head, first ?? head, rest]),
      Buffer.concat([head, first ?? head, rest]),
    ]
    for (const one of bad) await expect(unsealed(one)).rejects.toThrow(/damaged|is not a backup/)
  })

  it('reads a file twice with the keys that were derived once, and another file with its own', async () => {
    const [file, other] = [await sealed(Buffer.from('the file')), await sealed(Buffer.from('another'))]
    const keysOf = keysFrom(PASSPHRASE)
    const used: unknown[] = []
    const noted: typeof keysOf = (facts) => {
      const keys = keysOf(facts)
      used.push(keys)
      return keys
    }
    const read = async (bytes: Buffer) => (await collect(unseal(pieces(bytes, 100), noted))).toString()
    expect([await read(file), await read(other), await read(file)]).toEqual(['the file', 'another', 'the file'])
    expect(used[2]).toBe(used[0])
    expect(used[1]).not.toBe(used[0])
  })

  it('is not made to use more memory than a machine has by a file', async () => {
    const file = await sealed(Buffer.from('x'))
    const greedy = Buffer.from(file.toString('latin1').replace('"memoryKib":8', '"memoryKib":99999999'), 'latin1')
    await expect(unsealed(greedy)).rejects.toThrow('The backup is damaged')
  })
})
