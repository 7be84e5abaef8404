import type { SignatureResult, SigningJob } from '@kassa/contract/sweeps/approval-schemas.ts'
import { SIGNATURE_REFUSALS } from '@kassa/contract/sweeps/reasons.ts'
import type { BalanceRow } from '@kassa/contract/sweeps/schemas.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { FileDown } from 'lucide-react'
import { useMemo, useState } from 'react'

import { configurationQuery } from '../../../api/configuration.ts'
import { useCan } from '../../../api/me.ts'
import { asRequestError } from '../../../api/request-error.ts'
import { type Signatures, signingJobQuery, useApprovalChanges } from '../../../api/sweep-approvals.ts'
import { saveFile } from '../../../lib/device/save-file.ts'
import { useSearchState } from '../../../lib/navigation/search.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Address } from '../../../ui/facts/Address.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { FileField } from '../../../ui/fields/FileField.tsx'
import { Card } from '../../../ui/places/Card.tsx'
import { TimeRemaining } from '../../../ui/time/TimeRemaining.tsx'
import { SignerDownload } from './SignerDownload.tsx'
import { SignerFrame } from './SignerFrame.tsx'
import { jobFile, jobText, readSignatures } from './signing-file.ts'

/** One batch on its way to the signer and back: the job leaves as a file, the signatures come back as one. */
export function BatchPanel({ row, batchID }: { row: BalanceRow; batchID: string }) {
  const maySweep = useCan()('sweep:write')
  const [, setSearch] = useSearchState()
  const { data: job, error } = useQuery(signingJobQuery(row, batchID))
  const { post } = useApprovalChanges(row)
  const [result, setResult] = useState<SignatureResult>()
  const [failure, setFailure] = useState<string>()
  const hand = async (signatures: Signatures) => {
    setFailure(undefined)
    try {
      setResult(await post(batchID, signatures))
    } catch (thrown) {
      setFailure(asRequestError(thrown).message)
    }
  }
  if (error !== null) {
    return (
      <Banner
        tone="warning"
        action={
          <Button size="small" onClick={() => setSearch({ batch: undefined }, { replace: true })}>
            <Trans>Close</Trans>
          </Button>
        }
      >
        {asRequestError(error).message}
      </Banner>
    )
  }
  if (job === undefined) return <Skeleton height={160} />
  const left = job.data.filter(({ approval }) => approval !== null).length
  return (
    <Card
      title={t`Sign this batch`}
      text={
        <>
          {plural(left, { one: '# address waits for its signature.', other: '# addresses wait for their signatures.' })}{' '}
          {job.expiresAt !== null && (
            <Trans>
              Time left: <TimeRemaining until={job.expiresAt} />
            </Trans>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {maySweep && left > 0 && <Signing job={job} onSigned={hand} onFailure={setFailure} />}
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {result !== undefined && <Result result={result} job={job} />}
      </div>
    </Card>
  )
}

type SigningProps = {
  readonly job: SigningJob
  readonly onSigned: (signatures: Signatures) => Promise<void>
  readonly onFailure: (text: string) => void
}

/** On mainnet by file only: no page of ours has a field for words there. */
function Signing({ job, onSigned, onFailure }: SigningProps) {
  const { data: configuration } = useQuery(configurationQuery)
  const isTest = configuration !== undefined && configuration.blockchainNetwork !== 'mainnet'
  const [isEmbedded, setEmbedded] = useState(false)
  const text = useMemo(() => jobText(job), [job])
  const take = async (file: string) => {
    try {
      await onSigned((await readSignatures(new Blob([file]))).signatures)
    } catch (thrown) {
      onFailure(thrown instanceof Error ? thrown.message : t`This file can’t be read.`)
    }
  }
  return (
    <>
      {isTest && !isEmbedded && (
        <div>
          <Button onClick={() => setEmbedded(true)}>
            <Trans>Sign here</Trans>
          </Button>
        </div>
      )}
      {isTest && isEmbedded && <SignerFrame job={text} onSigned={(file) => void take(file)} />}
      <ByFile job={job} onSigned={onSigned} onFailure={onFailure} />
      <SignerDownload />
    </>
  )
}

function ByFile({ job, onSigned, onFailure }: SigningProps) {
  const [file, setFile] = useState<File>()
  const take = async (chosen: File) => {
    setFile(chosen)
    try {
      const { batchID, signatures } = await readSignatures(chosen)
      if (batchID !== undefined && batchID !== job.batchID) return onFailure(t`This file belongs to another batch.`)
      await onSigned(signatures)
    } catch (thrown) {
      onFailure(thrown instanceof Error ? thrown.message : t`This file can’t be read.`)
    }
  }
  return (
    <>
      <p className="text-body text-muted">
        <Trans>
          Carry the file to the signer on a computer that you have taken off the network. It is easier on a computer
          than on a phone. No page of ours asks for secret words.
        </Trans>
      </p>
      <div>
        <Button
          icon={<FileDown aria-hidden strokeWidth={1.75} />}
          onClick={() => saveFile(jobFile(job), `signing-job-${job.batchID ?? 'wallet'}.json`)}
        >
          <Trans>Download job</Trans>
        </Button>
      </div>
      <FileField
        label={t`Upload signatures`}
        accept="application/json,.json"
        hint={t`The file that the signer saved.`}
        file={file}
        onFile={(chosen) => void take(chosen)}
      />
    </>
  )
}

/** How many signatures were taken, and why others were not, address by address. */
function Result({ result: { accepted, rejected }, job }: { result: SignatureResult; job: SigningJob }) {
  const addressOf = (id: number) => job.data.find(({ addressID }) => addressID === id)?.address
  return (
    <div role="status" className="flex flex-col gap-2">
      <Banner tone={rejected.length === 0 ? 'success' : 'warning'}>
        {plural(accepted, {
          0: 'No signature accepted.',
          one: '# signature accepted.',
          other: '# signatures accepted.',
        })}
        {rejected.length > 0 && <> {plural(rejected.length, { one: '# was not.', other: '# were not.' })}</>}
      </Banner>
      {rejected.length > 0 && (
        <ul aria-label={t`Signatures that were not accepted`} className="divide-y divide-border text-dense">
          {rejected.map(({ addressID, code, text }) => (
            <li key={addressID} className="flex flex-wrap items-center gap-x-3 py-2">
              <Address value={addressOf(addressID) ?? String(addressID)} withCopy={false} />
              <span title={code in SIGNATURE_REFUSALS ? code : undefined}>{text}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
