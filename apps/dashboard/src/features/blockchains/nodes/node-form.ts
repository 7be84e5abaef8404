import { NewNode, NodeChange } from '@kassa/contract/blockchains/inputs.ts'
import type { Node } from '@kassa/contract/blockchains/schemas.ts'

import { asRequestError } from '../../../api/request-error.ts'
import { formFailure } from '../../../api/form-failure.ts'
import type { NodePatch, NodeRequest } from '../../../api/nodes.ts'
import { fieldErrors } from '../../../lib/forms/field-errors.ts'
import type { FieldErrors } from '../../../lib/forms/form.ts'

export type NodeValues = {
  /** Empty keeps the address of a node that is changed. */
  readonly url: string
  readonly apiKey: string
  readonly authUsername: string
  readonly authPassword: string
  /** Whole numbers as typed; empty calls a day are unlimited. */
  readonly priority: string
  readonly maxDailyCalls: string
  readonly isPreferred: boolean
  /** Takes away the saved credentials. */
  readonly forgets: boolean
}

const CREDENTIALS = ['apiKey', 'authUsername', 'authPassword'] as const

/** Returns what the form starts with; nothing secret is ever in it. */
export function nodeValues(node: Node | undefined): NodeValues {
  return {
    url: '',
    apiKey: '',
    authUsername: '',
    authPassword: '',
    priority: String(node?.priority ?? 0),
    maxDailyCalls: String(node?.maxDailyCalls ?? ''),
    isPreferred: node?.isPreferred ?? false,
    forgets: false,
  }
}

/** Returns the request for a new node. */
export function newNodeRequest(values: NodeValues): NodeRequest {
  return {
    url: values.url.trim(),
    priority: Number(values.priority),
    ...(values.maxDailyCalls === '' ? {} : { maxDailyCalls: Number(values.maxDailyCalls) }),
    ...(values.isPreferred ? { isPreferred: true } : {}),
    ...typedCredentials(values),
  }
}

/** Returns only what differs from the node as it is. */
export function nodePatch(values: NodeValues, node: Node): NodePatch {
  const calls = values.maxDailyCalls === '' ? null : Number(values.maxDailyCalls)
  return {
    ...(values.url.trim() === '' ? {} : { url: values.url.trim() }),
    ...(Number(values.priority) === node.priority ? {} : { priority: Number(values.priority) }),
    ...(calls === node.maxDailyCalls ? {} : { maxDailyCalls: calls }),
    ...(values.isPreferred === node.isPreferred ? {} : { isPreferred: values.isPreferred }),
    ...(values.forgets ? { apiKey: '', authUsername: '', authPassword: '' } : typedCredentials(values)),
  }
}

/** Returns every field that fails, with the contract's text. */
export function nodeErrors(values: NodeValues, node: Node | undefined): FieldErrors<NodeValues> {
  return node === undefined
    ? fieldErrors(NewNode, newNodeRequest(values))
    : fieldErrors(NodeChange, nodePatch(values, node))
}

/** What a refusal says about the address. */
const ABOUT_URL: readonly string[] = ['NODE_WRONG_NETWORK', 'NODE_UNREACHABLE', 'NODE_EXISTS', 'EGRESS_NOT_ALLOWED']

/** Sorts a refusal: what is about the node's address to its field, the rest above the form. */
export function nodeFailure(thrown: unknown): { fields: FieldErrors<NodeValues>; text?: string } {
  const { code } = asRequestError(thrown)
  const failure = formFailure(thrown, ['url', 'priority', 'maxDailyCalls', ...CREDENTIALS])
  return ABOUT_URL.includes(code) && failure.text !== undefined ? { fields: { url: failure.text } } : failure
}

function typedCredentials(values: NodeValues): Partial<Record<(typeof CREDENTIALS)[number], string>> {
  return Object.fromEntries(CREDENTIALS.flatMap((name) => (values[name] === '' ? [] : [[name, values[name]]])))
}
