/** Values by the contract's schemas: mostly such as a client would send, and now and then what none should. */
import type * as z from 'zod/mini'

import type { Random } from '../simulator/random.ts'

/** Ids and references of rows that exist, by the name of a field, and by what a parameter of a path is called. */
export type Known = Readonly<Record<string, readonly unknown[]>>

type Definition = {
  readonly type: string
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>
  readonly innerType?: z.ZodMiniType
  readonly element?: z.ZodMiniType
  readonly in?: z.ZodMiniType
  readonly options?: readonly z.ZodMiniType[]
  readonly values?: readonly unknown[]
  readonly entries?: Readonly<Record<string, unknown>>
  readonly valueType?: z.ZodMiniType
}

/** How often a part of a value is what no schema asks for. */
const HOSTILE_SHARE = 0.08

/** What has broken programs before: limits of numbers, of encodings, of lengths, and texts that mean something somewhere. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 0.5, 1e308, -1e-320, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21],
  ...['', ' ', '0', '-1', 'null', 'undefined', 'NaN', 'Infinity', '1e400', '0x10', '1,5', '٣', '１'],
  ...[
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\uffff',
    '‮txet',
    'İ',
    'ß',
    '💶'.repeat(80),
    'e\u0301'.repeat(200),
  ],
  ...[
    '0'.repeat(120),
    `${'0'.repeat(120)}1`,
    '9'.repeat(400),
    `0.${'0'.repeat(300)}1`,
    'a'.repeat(301),
    'x'.repeat(20_000),
  ],
  ...["' OR 1=1 --", '%', '_', '\\', '%00', '../../etc/passwd', '${7*7}', '{{7*7}}', '<script>', '=1+1', 'a\r\nb: c'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'all', 'me', 'NULL'],
  ...[
    '9999-12-31T23:59:59.999Z',
    '0000-01-01T00:00:00Z',
    '-271821-04-20T00:00:00Z',
    '2026-02-30',
    '+275760-09-13T00:00:00Z',
  ],
  ...[[], {}, [[]], [null], { a: { b: { c: {} } } }, ['a', 1, null], Array.from({ length: 1_000 }, (_, n) => n)],
  ...[{ __proto__: null, toString: 1 }, [['x'.repeat(300)]], { length: 2 ** 31 }],
]

/** Texts that some field takes: amounts, addresses, codes, times, links, keys. */
const PLAUSIBLE: readonly string[] = [
  ...['10', '0.5', '12.345678', '1000000', '999999999999', '0.000001', '1', '25', '100'],
  ...['ETH', 'BASE', 'TRX', 'BTC', 'POLYGON', 'eth', 'USDC', 'USDT', 'ETH_Family', 'TRX_Family', 'BTC_Family'],
  ...['2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59+14:00', '2026-06-15', '1999-12-31T00:00:00Z'],
  ...['payer@example.com', 'operator@shop.example', 'ä@ü.example'],
  ...[
    'http://127.0.0.1:9/hook',
    'http://localhost:1/',
    'https://127.0.0.1:9/a?b=c',
    'http://[::1]:9/',
    'javascript:alert(1)',
  ],
  ...[
    '0x00000000000000000000000000000000000000C1',
    `0x${'ab'.repeat(32)}`,
    `0x${'00'.repeat(32)}`,
    '1BoatSLRHtKNngkdXEobR76b53LETtpyT',
  ],
  ...['01920000-0000-7000-8000-000000000000', '00000000-0000-0000-0000-000000000000'],
  ...[
    'created_at',
    'asc',
    'desc',
    'csv',
    'jsonl',
    'finalized',
    'active',
    'inactive',
    'payment.filled',
    'payment.cancel',
    '#caff54',
  ],
  ...[
    'OPEN',
    'FILLED',
    'CANCELLED',
    'apply',
    'release',
    'mark_resolved',
    'payram.frontend',
    'security.egress_allow',
    'en',
    'ar',
  ],
  ...['A name', 'A longer text, with signs: ; = + - @ "quotes"', '1', '2', '3', '7'],
]

/** One of the values that no schema asks for. */
export function hostileValue(random: Random): unknown {
  return random.pick(HOSTILE)
}

/** A text for a parameter of a path. */
export function pathText(random: Random, name: string, known: Known): string {
  if (random.chance(0.75)) return textOf(random.any(known[name] ?? []) ?? random.pick(PLAUSIBLE))
  return textOf(random.pick(HOSTILE)).slice(0, 400)
}

/** A value as the text of a path, a query or a form. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** A value of a schema, or nearly one; `name` is the field it is for. */
export function valueOf(random: Random, schema: z.ZodMiniType, known: Known, name = ''): unknown {
  if (random.chance(HOSTILE_SHARE)) return random.pick(HOSTILE)
  const rows = known[name.toLowerCase().replaceAll('_', '')]
  if (rows && random.chance(0.8)) return random.pick(rows)
  const definition = schema._zod.def as unknown as Definition
  switch (definition.type) {
    case 'object':
      return objectOf(random, definition.shape ?? {}, known)
    case 'array':
      return Array.from({ length: random.between(0, 3) }, () =>
        definition.element ? valueOf(random, definition.element, known, name) : null,
      )
    case 'record':
      return definition.valueType ? { [random.pick(PLAUSIBLE)]: valueOf(random, definition.valueType, known) } : {}
    case 'union':
      return valueOf(random, random.pick(definition.options ?? []), known, name)
    case 'literal':
      return random.pick(definition.values ?? [])
    case 'enum':
      return random.pick(Object.values(definition.entries ?? {}))
    case 'number':
    case 'int':
      return random.pick([0, 1, 2, 3, 7, 10, 50, 64, 100, 1_000, -1, 2 ** 31 - 1])
    case 'boolean':
      return random.chance(0.5)
    case 'string':
      return random.pick(PLAUSIBLE)
    default: {
      const wrapped = definition.in ?? definition.innerType
      return wrapped ? valueOf(random, wrapped, known, name) : random.pick(PLAUSIBLE)
    }
  }
}

function objectOf(random: Random, shape: Readonly<Record<string, z.ZodMiniType>>, known: Known): unknown {
  const result: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(shape)) {
    const isOptional = field._zod.optin === 'optional'
    if (random.chance(isOptional ? 0.45 : 0.98))
      result[random.chance(0.03) ? name.toUpperCase() : name] = valueOf(random, field, known, name)
  }
  if (random.chance(0.02)) result[random.pick(['__proto__x', 'unknown', 'ID', 'constructor'])] = random.pick(HOSTILE)
  return result
}
