import { readFile } from 'node:fs/promises'

import { projectsRoutes } from '@kassa/contract/projects/routes.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type TestApp, testApp } from '../../testing/app.ts'
import { hasOwnLogo } from './logo.ts'

let app: TestApp
let key: string
let id: number

beforeAll(async () => {
  app = await testApp()
  key = await app.signUp()
  id = (await app.call(projectsRoutes.createProject, { body: { name: 'Shop' } }, { key })).body.id
})
afterAll(() => app.stop())

type Field = string | { readonly bytes: Buffer; readonly name?: string; readonly type?: string }

/** Sends a form as a browser does. */
async function send(
  method: 'POST' | 'PUT',
  path: string,
  fields: Readonly<Record<string, Field>>,
  headers: Readonly<Record<string, string>> = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value)
    else
      form.append(
        name,
        new Blob([new Uint8Array(value.bytes)], { type: value.type ?? 'image/png' }),
        value.name ?? 'logo.png',
      )
  }
  const encoded = new Response(form)
  const answer = await app.http.inject({
    method,
    url: `/api/v1/external-platform${path}`,
    headers: {
      host: 'localhost',
      'api-key': key,
      'content-type': encoded.headers.get('content-type') ?? '',
      ...headers,
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  const body = answer.json() as {
    logoPath?: string
    brandColor?: string
    name?: string
    error?: { code: string; message: string }
  }
  return { status: answer.statusCode, body, code: body.error?.code }
}
const save = (fields: Readonly<Record<string, Field>>) => send('PUT', `/${id}`, fields)
const picture = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 4, background: '#ff000080' } })
const stored = async (logoPath: string | undefined) => {
  const url = new URL(logoPath ?? '').pathname
  return app.http.inject({ url })
}

describe('projects: the two steps of the specification', () => {
  it('adds a project by name, then colours it and gives it logo.png', async () => {
    const made = await app.call(projectsRoutes.createProject, { body: { name: 'Two steps' } }, { key })
    const bytes = await picture(64).png().toBuffer()
    const { status, body } = await send('PUT', `/${made.body.id}`, { brandColor: '#caff54', logo: { bytes } })
    expect([status, body.name, body.brandColor]).toEqual([200, 'Two steps', '#caff54'])
    expect(body.logoPath).toMatch(/^http:\/\/localhost:8080\/uploads\/[0-9a-f]{32}\.png$/)
    const detail = await app.call(projectsRoutes.listProjectDetails, {}, { key })
    expect(detail.body.find((project) => project.id === made.body.id)?.logoPath).toBe(body.logoPath)
  })

  it('shows payers no picture while the project has only the placeholder of the dashboard', async () => {
    const file = new URL('../../../../dashboard/src/assets/placeholder-logo.png', import.meta.url)
    const { body } = await save({ logo: { bytes: await readFile(file) } })
    expect(hasOwnLogo(new URL(body.logoPath ?? '').pathname)).toBe(false)
    expect((await stored(body.logoPath)).statusCode).toBe(200)
    const own = await save({ logo: { bytes: await picture(8).png().toBuffer() } })
    expect(hasOwnLogo(new URL(own.body.logoPath ?? '').pathname)).toBe(true)
    expect(hasOwnLogo('')).toBe(false)
  })

  it('makes a large logo small enough for the payment page, which shows initials in place of a larger one', async () => {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#fff', noise } })
      .png()
      .toBuffer()
    const { status, body } = await save({ logo: { bytes } })
    const logo = (await stored(body.logoPath)).rawPayload
    expect(status).toBe(200)
    expect(logo.length).toBeLessThanOrEqual(8 * 1024)
    expect((await sharp(logo).metadata()).width).toBeGreaterThanOrEqual(64)
  })

  it('takes the whole form at once as well', async () => {
    const bytes = await picture(8).png().toBuffer()
    const { status, body } = await send('POST', '', { name: 'One step', brandColor: '#112233', logo: { bytes } })
    expect([status, body.name, body.brandColor]).toEqual([201, 'One step', '#112233'])
    expect(body.logoPath).not.toBe('')
  })
})

describe('projects: logos', () => {
  it('differ by what they show: another of the same size under one key is refused', async () => {
    const [red, blue] = await Promise.all(
      ['#ff0000', '#0000ff'].map((background) =>
        sharp({ create: { width: 8, height: 8, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const size = Math.max(red?.length ?? 0, blue?.length ?? 0)
    const padded = (bytes: Buffer | undefined) => Buffer.concat([bytes ?? Buffer.alloc(0)], size)
    const once = (bytes: Buffer | undefined) =>
      send('PUT', `/${id}`, { logo: { bytes: padded(bytes) } }, { 'idempotency-key': 'logo-once' })
    const first = await once(red)
    expect(first.status).toBe(200)
    expect((await once(red)).body.logoPath).toBe(first.body.logoPath)
    expect((await once(blue)).code).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  it('encodes PNG, JPEG and WebP again as PNG of at most 512 pixels, whatever the file is called', async () => {
    const files = [
      { bytes: await picture(1024, 256).png().toBuffer(), name: 'a.png' },
      { bytes: await picture(1024, 256).jpeg().toBuffer(), name: 'a.gif', type: 'image/gif' },
      { bytes: await picture(1024, 256).webp().toBuffer(), name: 'a', type: 'text/plain' },
    ]
    for (const file of files) {
      const { status, body } = await save({ logo: file })
      expect(status).toBe(200)
      const { rawPayload, headers } = await stored(body.logoPath)
      expect(await sharp(rawPayload).metadata()).toMatchObject({ format: 'png', width: 512, height: 128 })
      expect(headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
      })
    }
  })

  it('keeps nothing of the file but its pixels', async () => {
    const marked = await picture(32)
      .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
      .jpeg()
      .toBuffer()
    expect(marked.includes('SECRET-PLACE')).toBe(true)
    const trailed = Buffer.concat([marked, Buffer.from('<script>alert(1)</script>')])
    const { body } = await save({ logo: { bytes: trailed } })
    const { rawPayload } = await stored(body.logoPath)
    expect(rawPayload.includes('SECRET-PLACE')).toBe(false)
    expect(rawPayload.includes('script')).toBe(false)
  })

  it('refuses what is no picture, too large a one, and SVG: IMAGE_INVALID', async () => {
    const before = (await save({ website: '' })).body.logoPath
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>')
    const gif = await picture(8).gif().toBuffer()
    const broken = (await picture(64).png().toBuffer()).subarray(0, 60)
    const files = [svg, gif, broken, Buffer.from('hello'), Buffer.alloc(0), await picture(4097, 4).png().toBuffer()]
    for (const bytes of files) {
      const { status, body, code } = await save({ logo: { bytes }, website: 'https://never.example' })
      expect([status, code, body.error?.message]).toEqual([
        400,
        'IMAGE_INVALID',
        'The logo must be a PNG, JPEG or WebP image up to 1 MB.',
      ])
    }
    expect((await save({ website: '' })).body.logoPath).toBe(before)
    const refused = await send('POST', '', { name: 'Never', logo: { bytes: svg } })
    expect(refused.code).toBe('IMAGE_INVALID')
  })

  it('refuses a file above 1 MiB, a second file, and text in its place', async () => {
    expect((await save({ logo: { bytes: Buffer.alloc(1024 * 1024 + 1) } })).code).toBe('PAYLOAD_TOO_LARGE')
    const bytes = await picture(8).png().toBuffer()
    expect((await save({ logo: { bytes }, logo2: { bytes } })).code).toBe('PAYLOAD_TOO_LARGE')
    expect((await save({ logo: 'https://evil.example/logo.png' })).code).toBe('VALIDATION_FAILED')
  })

  it('stays when a change does not speak of it, and goes with an empty path', async () => {
    const bytes = await picture(16).png().toBuffer()
    const { body } = await save({ logo: { bytes } })
    expect((await save({ name: 'Renamed' })).body.logoPath).toBe(body.logoPath)
    expect((await save({ logoPath: body.logoPath ?? '' })).body.logoPath).toBe(body.logoPath)
    expect((await save({ logoPath: '' })).body.logoPath).toBe('')
  })
})

describe('projects: forms', () => {
  it('refuses one that is broken off, and one without end', async () => {
    const post = (payload: string) =>
      app.http.inject({
        method: 'POST',
        url: '/api/v1/external-platform',
        headers: { host: 'localhost', 'api-key': key, 'content-type': 'multipart/form-data; boundary=b' },
        payload,
      })
    const broken = await post('--b\r\ncontent-disposition: form-data; name="name"\r\n\r\nShop')
    expect([broken.statusCode, broken.json<{ error: object }>().error]).toMatchObject([
      400,
      { code: 'VALIDATION_FAILED', details: 'The form is not well-formed.' },
    ])
    const fields = Object.fromEntries(Array.from({ length: 102 }, (_, n) => [`f${n}`, 'x']))
    expect((await save(fields)).code).toBe('PAYLOAD_TOO_LARGE')
  })
})

describe('uploads', () => {
  it('are nothing at an unknown name, and run nothing', async () => {
    for (const url of ['/uploads/none.png', '/uploads/..%2F..%2Fpackage.json']) {
      const { statusCode, headers } = await app.http.inject({ url })
      expect(statusCode).toBe(404)
      expect(headers['x-content-type-options']).toBe('nosniff')
    }
  })
})
