/** An authenticator of software (WebAuthn 3): makes a passkey and signs with it, rightly or in the ways a test asks for. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type PasskeyJson = Readonly<Record<string, unknown>>

/** What a test makes wrong. */
type Wrong = {
  readonly origin?: string
  readonly host?: string
  readonly challenge?: string
  /** The counter that is signed; the next one when absent. */
  readonly counter?: number
  readonly isVerified?: boolean
  readonly userHandle?: string
}

const ORIGIN = 'http://localhost:8080'
const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export type Authenticator = {
  /** Answers what `creationOptions` asks. */
  readonly create: (publicKey: PasskeyJson, wrong?: Wrong) => PasskeyJson
  /** Answers what `requestOptions` asks. */
  readonly get: (publicKey: PasskeyJson, wrong?: Wrong) => PasskeyJson
}

/** Makes an authenticator with one ES256 key that counts its answers. */
export function softAuthenticator(): Authenticator {
  const { publicKey: key, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let handle: string | undefined

  const data = (flags: number, { host = 'localhost', counter: asked, isVerified = true }: Wrong) => {
    counter = asked ?? counter + 1
    const head = Buffer.alloc(5)
    head.writeUInt8(flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0))
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(host).digest(), head])
  }

  return {
    create: ({ challenge, user }, wrong = {}) => {
      handle = (user as { id: string }).id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(key)])
      const authData = Buffer.concat([data(HAS_CREDENTIAL, wrong), credential])
      const attestationObject = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData)],
      ])
      return answer(id, {
        clientDataJSON: clientData('webauthn.create', challenge, wrong).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      })
    },
    get: ({ challenge }, wrong = {}) => {
      const authenticatorData = data(0, wrong)
      const client = clientData('webauthn.get', challenge, wrong)
      const signed = Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()])
      return answer(id, {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: wrong.userHandle ?? handle,
      })
    },
  }
}

function answer(id: Buffer, response: PasskeyJson): PasskeyJson {
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key', response, clientExtensionResults: {} }
}

function clientData(type: string, asked: unknown, { origin = ORIGIN, challenge }: Wrong): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge: challenge ?? asked, origin, crossOrigin: false }))
}

/** The public key as COSE writes it (RFC 9053 7.1.1): EC2, ES256, P-256. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const small = (value: number) => Buffer.from([value < 0 ? 0x20 - 1 - value : value])
  return cborMap([
    [small(1), small(2)],
    [small(3), small(-7)],
    [small(-1), small(1)],
    [small(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [small(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ])
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()])
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
}

/** The shortest head there is, as CTAP asks: readers count the bytes of what they would write. */
function cborBytes(bytes: Buffer): Buffer {
  const head = bytes.length < 256 ? [0x58, bytes.length] : [0x59, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from(head), bytes])
}
