import type { AuditVerification } from '@kassa/contract/audit/schemas.ts'
import type { ExportFormat } from '@kassa/contract/kit/exports.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ChevronDown, Download, ShieldCheck } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { type AuditFilter, exportAudit, verifyAudit } from '../../api/audit.ts'
import { useCan } from '../../api/me.ts'
import { asRequestError } from '../../api/request-error.ts'
import { saveFile } from '../../lib/device/save-file.ts'
import { fileSize } from '../../lib/text/file-size.ts'
import { count as figure } from '../../lib/text/format.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { CopyButton } from '../../ui/actions/CopyButton.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { Menu } from '../../ui/actions/Menu.tsx'
import { toast } from '../../ui/feedback/toast.ts'

/** Proves the log here and now, and takes it along as a file that proves itself. Absent for those who may not. */
export function AuditProof({ narrowing, total }: { narrowing: AuditFilter; total: number | undefined }) {
  const can = useCan()
  const menuId = useId()
  const { state, failure, verify, save, stop } = useProof(narrowing)
  if (!can('audit:export')) return null
  const isBusy = state.kind === 'verifying' || state.kind === 'exporting'
  const off = total === 0 ? t`Nothing matches the filter.` : undefined
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button icon={<ShieldCheck aria-hidden strokeWidth={1.75} />} disabled={isBusy} onClick={verify}>
        <Trans>Verify chain</Trans>
      </Button>
      {state.kind === 'exporting' ? (
        <Button onClick={stop}>
          <Trans>Stop</Trans>
        </Button>
      ) : (
        <span className="flex">
          <Button
            icon={<Download aria-hidden strokeWidth={1.75} />}
            disabled={isBusy || off !== undefined}
            title={off}
            onClick={() => save('csv')}
          >
            <Trans>Export CSV</Trans>
          </Button>
          <IconButton
            label={t`More formats`}
            icon={<ChevronDown aria-hidden strokeWidth={1.75} />}
            popoverTarget={menuId}
          />
          <Menu
            id={menuId}
            label={t`More formats`}
            items={[
              off === undefined
                ? { label: t`Export JSON lines`, onSelect: () => save('jsonl') }
                : { label: t`Export JSON lines`, offReason: off },
            ]}
            atEnd
          />
        </span>
      )}
      <span role="status" className="text-dense text-muted tabular-nums">
        {state.kind === 'verifying' && t`Verifying…`}
        {state.kind === 'exporting' && t`Exporting… ${fileSize(state.bytes)}`}
        {state.kind === 'verified' && <Verdict found={state.found} />}
      </span>
      {failure !== undefined && (
        <p role="alert" className="w-full text-dense text-danger-text">
          {failure}
        </p>
      )}
    </div>
  )
}

function Verdict({ found: { ok, checked, headHash, firstBroken } }: { found: AuditVerification }) {
  const entries = figure(checked)
  if (!ok && firstBroken !== null) {
    const { id } = firstBroken
    const what = {
      changed: t`Entry ${id} is not as it was written.`,
      removed: t`Entry ${id} is missing.`,
      added: t`Entry ${id} was added later.`,
    }[firstBroken.fault]
    return <strong className="text-danger-text">{what}</strong>
  }
  return (
    <span className="inline-flex items-center gap-1">
      {t`${plural(checked, { one: `${entries} entry`, other: `${entries} entries` })}, chain unbroken`}
      {headHash !== null && <CopyButton label={t`newest hash`} value={headHash} />}
    </span>
  )
}

type ProofState =
  | { readonly kind: 'idle' | 'verifying' }
  | { readonly kind: 'verified'; readonly found: AuditVerification }
  | { readonly kind: 'exporting'; readonly bytes: number }

function useProof(narrowing: AuditFilter) {
  const running = useRef<AbortController>(undefined)
  const [state, setState] = useState<ProofState>({ kind: 'idle' })
  const [failure, setFailure] = useState<string>()
  useEffect(() => () => running.current?.abort(), [])
  const run = async (work: (signal: AbortSignal) => Promise<ProofState>) => {
    const abort = new AbortController()
    running.current = abort
    setFailure(undefined)
    try {
      setState(await work(abort.signal))
    } catch (thrown) {
      setState({ kind: 'idle' })
      if (!abort.signal.aborted) setFailure(asRequestError(thrown).message)
    }
  }
  const exported = async (format: ExportFormat, signal: AbortSignal): Promise<ProofState> => {
    const onBytes = (bytes: number) => setState({ kind: 'exporting', bytes })
    onBytes(0)
    const file = await exportAudit({ filter: narrowing, format, onBytes, signal })
    saveFile(file, `activity-log-${new Date().toISOString().slice(0, 10)}.${format}`)
    toast.success(t`The export is saved. Prove it anywhere: npm run verify-log.`)
    return { kind: 'idle' }
  }
  return {
    state,
    failure,
    verify: () => {
      setState({ kind: 'verifying' })
      void run(async () => ({ kind: 'verified', found: await verifyAudit() }))
    },
    save: (format: ExportFormat) => void run((signal) => exported(format, signal)),
    stop: () => running.current?.abort(),
  }
}
