import type { Opportunity } from '@balcao/contract/sales/opportunities.ts'
import { type Proposal, type ProposalState, proposalStateLabels } from '@balcao/contract/sales/proposals.ts'
import { ActionIcon, Button, Group, Text, Textarea, Tooltip } from '@mantine/core'
import { IconBan, IconDownload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { downloadFile } from '../../../kit/download.ts'
import { formatCents, formatDate, formatDateTime } from '../../../kit/format.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyField } from '../../../ui/copy-field.tsx'
import { notify } from '../../../ui/notify.ts'
import { NumberField } from '../../../ui/number-field.tsx'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import { opportunitiesKey } from './api.ts'
import classes from './funnel.module.css'
import { createProposal, proposalsQuery, revokeProposal } from './proposals-api.ts'

const tones: Record<ProposalState, StatusTone> = {
  open: 'waiting',
  accepted: 'good',
  expired: 'quiet',
  revoked: 'quiet',
}

type Props = {
  opportunity: Opportunity
  /** One is being written. */
  isWriting: boolean
  onWriting: (isWriting: boolean) => void
}

/** What was offered: made of the saved products, downloaded, sent by its address, taken back. */
export const OpportunityProposals = ({ opportunity, isWriting, onWriting }: Props) => {
  const { id, items } = opportunity
  const cache = useQueryClient()
  const mayWrite = useCan('funnel.write')
  const proposals = useQuery(proposalsQuery(id)).data ?? []
  const [made, setMade] = useState<{ number: number; url: string } | null>(null)
  const [revoking, setRevoking] = useState<Proposal | null>(null)
  const [busy, setBusy] = useState(false)
  const renew = () => {
    for (const what of ['proposals', 'timeline'])
      void cache.invalidateQueries({ queryKey: [...opportunitiesKey, what] })
  }
  const handleRevoke = async () => {
    if (!revoking) return
    setBusy(true)
    try {
      await revokeProposal(id, revoking.id)
      setMade(null)
      setRevoking(null)
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setBusy(false)
      renew()
    }
  }
  const handleDownload = (one: Proposal) =>
    downloadFile({ path: `/opportunities/${id}/proposals/${one.id}/pdf` }).catch((error: unknown) =>
      notify.error(messageOf(error)),
    )
  return (
    <section aria-label="Propostas" className={classes.items}>
      <Text fw={500} size="sm">
        Propostas
      </Text>
      {proposals.length > 0 && (
        <ul className={classes.lines}>
          {proposals.map((one) => (
            <li key={one.id}>
              <span className={classes.line}>
                <span>
                  nº {one.number} · {formatCents(one.value)}
                </span>
                <span className={classes.meta}>{detailOf(one)}</span>
              </span>
              <StatusDot tone={tones[one.state]} label={proposalStateLabels[one.state]} />
              <Tooltip label="Baixar em PDF">
                <ActionIcon
                  aria-label={`Baixar a proposta ${one.number} em PDF`}
                  onClick={() => void handleDownload(one)}
                >
                  <IconDownload size={18} stroke={1.75} />
                </ActionIcon>
              </Tooltip>
              {mayWrite && one.state === 'open' && (
                <Tooltip label="Revogar">
                  <ActionIcon aria-label={`Revogar a proposta ${one.number}`} onClick={() => setRevoking(one)}>
                    <IconBan size={18} stroke={1.75} />
                  </ActionIcon>
                </Tooltip>
              )}
            </li>
          ))}
        </ul>
      )}
      {made && (
        <CopyField
          label={`Link da proposta nº ${made.number}`}
          description="Copie agora e envie ao cliente: o endereço não aparece de novo."
          value={made.url}
        />
      )}
      {mayWrite &&
        (isWriting ? (
          <NewProposal
            id={id}
            onMade={(next) => {
              setMade(next)
              onWriting(false)
              renew()
            }}
            onCancel={() => onWriting(false)}
          />
        ) : (
          <>
            <Button
              size="xs"
              variant="default"
              style={{ alignSelf: 'flex-start' }}
              disabled={!items.length}
              onClick={() => onWriting(true)}
            >
              Fazer proposta
            </Button>
            {!items.length && (
              <Text size="sm" c="dimmed">
                Inclua produtos e salve para fazer uma proposta.
              </Text>
            )}
          </>
        ))}
      <ConfirmDialog
        opened={revoking !== null}
        title={`Revogar a proposta nº ${revoking?.number}?`}
        confirmLabel="Revogar"
        tone="danger"
        busy={busy}
        onConfirm={() => void handleRevoke()}
        onClose={() => setRevoking(null)}
      >
        Quem abrir o link não a vê mais nem pode aceitá-la.
      </ConfirmDialog>
    </section>
  )
}

const detailOf = ({ accepted, createdAt, expiresAt, user }: Proposal) =>
  accepted
    ? `por ${accepted.name}, em ${formatDateTime(accepted.at)}, IP ${accepted.ip}`
    : [user?.name, formatDate(createdAt), `vale até ${formatDate(expiresAt)}`].filter(Boolean).join(' · ')

type NewProps = { id: string; onMade: (made: { number: number; url: string }) => void; onCancel: () => void }
const NewProposal = ({ id, onMade, onCancel }: NewProps) => {
  const [text, setText] = useState('')
  const [validDays, setValidDays] = useState(15)
  const [busy, setBusy] = useState(false)
  const handleMake = async () => {
    setBusy(true)
    try {
      onMade(await createProposal(id, { text, validDays }))
    } catch (error) {
      notify.error(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <div className={classes.items}>
      <Textarea
        label="Condições"
        description="Pagamento, entrega, garantia: aparecem acima dos produtos salvos."
        autosize
        minRows={2}
        maxRows={10}
        maxLength={4_000}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group align="flex-end" justify="space-between">
        <NumberField
          label="Vale por (dias)"
          w={130}
          min={1}
          max={180}
          allowDecimal={false}
          value={validDays}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault() // the form around it is the opportunity's
            void handleMake()
          }}
          onChange={setValidDays}
        />
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onCancel}>
            Cancelar
          </Button>
          <Button size="xs" loading={busy} onClick={() => void handleMake()}>
            Fazer proposta
          </Button>
        </Group>
      </Group>
    </div>
  )
}
