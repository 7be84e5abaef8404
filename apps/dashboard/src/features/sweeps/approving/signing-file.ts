/** The two files between this page and the signer: what is to be signed, and what was. */
import type { SigningJob } from '@kassa/contract/sweeps/approval-schemas.ts'
import { t } from '@lingui/core/macro'

import type { Signatures } from '../../../api/sweep-approvals.ts'

/** The signer tells its files by it. */
const KIND = { job: 'kassa-signing-job', signatures: 'kassa-signatures' } as const

/** Far more than 500 signatures take. */
const MOST_BYTES = 4 * 1024 * 1024

/** Returns the job as the signer reads it; it holds nothing secret. */
export function jobText(job: SigningJob): string {
  return JSON.stringify({ kind: KIND.job, version: 1, ...job }, null, 2)
}

/** The same as a file. */
export function jobFile(job: SigningJob): Blob {
  return new Blob([jobText(job)], { type: 'application/json' })
}

export type ReadSignatures = { readonly batchID: string | undefined; readonly signatures: Signatures }

/** Reads what the signer made of a job. @throws Error with the sentence to show */
export async function readSignatures(file: Blob): Promise<ReadSignatures> {
  if (file.size > MOST_BYTES) throw new Error(t`This file is too large to be one of the signer.`)
  const text = await file.text()
  const signed = parse(text)
  if (signed === undefined) throw new Error(t`This is no file of the signer.`)
  if (signed.signatures.length === 0) throw new Error(t`The file holds no signature.`)
  return signed
}

/** What each signature must be is the server's to say, address by address. */
function parse(text: string): ReadSignatures | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || !('signatures' in value)) return undefined
  const { signatures } = value
  if (!Array.isArray(signatures)) return undefined
  const batchID = 'batchID' in value && typeof value.batchID === 'string' ? value.batchID : undefined
  return { batchID, signatures: signatures as Signatures }
}
