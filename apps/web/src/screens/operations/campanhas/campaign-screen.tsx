import { ActionIcon, Button, Menu, Text } from '@mantine/core'
import { IconArrowLeft, IconCopy, IconDots, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { campaignQuery, deleteCampaign } from '../../../features/operations/campaigns/api.ts'
import { CampaignEditor } from '../../../features/operations/campaigns/campaign-editor.tsx'
import { CampaignActions, CampaignRun } from '../../../features/operations/campaigns/campaign-run.tsx'
import { useDuplicateCampaign } from '../../../features/operations/campaigns/use-begin-campaign.ts'
import {
  isBeingWritten,
  isDeletable,
  stateLabelOf,
  stateToneOf,
  whenOf,
} from '../../../features/operations/campaigns/words.ts'
import { isApiError, messageOf, reasonOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { notify } from '../../../ui/notify.ts'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { StatusDot } from '../../../ui/status-dot.tsx'

const massPaths: Partial<Record<string, string>> = {
  text: '/massa/texto',
  variables: '/massa/textovariavel',
  sms: '/massa/sms',
  template: '/massa/template',
  templateVariables: '/massa/template-variavel',
}

export const CampaignScreen = ({ id }: { id: string }) => {
  const navigate = useNavigate()
  const query = useQuery(campaignQuery(id))
  const duplicate = useDuplicateCampaign()
  const [mayWrite, mayApprove] = [useCan('campaigns.write'), useCan('campaigns.approve')]
  const [asks, setAsks] = useState(false)
  const [busy, setBusy] = useState(false)
  const campaign = query.data
  if (!campaign) {
    if (query.isError && isApiError(query.error) && query.error.status === 404)
      return (
        <EmptyState
          title="Campanha não encontrada"
          action={
            <Button component={Link} to="/campanhas" variant="default">
              Ver campanhas
            </Button>
          }
        >
          Talvez alguém a tenha excluído.
        </EmptyState>
      )
    return query.isError ? (
      <ErrorState message={messageOf(query.error)} onRetry={() => void query.refetch()} />
    ) : (
      <SkeletonList />
    )
  }
  const isMass = massPaths[campaign.origin] !== undefined
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      notify.error(reasonOf(error))
    } finally {
      setBusy(false)
      setAsks(false)
    }
  }
  const menu = mayWrite && (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size="lg" variant="default" aria-label="Mais ações">
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void run(async () => void navigate(`/campanhas/${(await duplicate(id)).id}`))}
        >
          Duplicar
        </Menu.Item>
        {isDeletable(campaign) && (
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsks(true)}>
            Excluir
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
  const when = whenOf(campaign)
  return (
    <Page
      header={
        <PageHeader
          title={campaign.name}
          actions={
            <>
              <CampaignActions campaign={campaign} />
              {menu}
            </>
          }
        >
          <Button
            component={Link}
            to={massPaths[campaign.origin] ?? '/campanhas'}
            variant="default"
            size="compact-sm"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
          >
            {isMass ? 'Envios' : 'Campanhas'}
          </Button>
          <StatusDot tone={stateToneOf(campaign)} label={stateLabelOf(campaign)} />
          {when && (
            <Text size="sm" c="dimmed">
              {when}
            </Text>
          )}
        </PageHeader>
      }
    >
      {isBeingWritten(campaign) && (mayWrite || (mayApprove && campaign.state === 'approval')) ? (
        <CampaignEditor campaign={campaign} />
      ) : (
        <CampaignRun campaign={campaign} />
      )}
      <ConfirmDialog
        opened={asks}
        title={`Excluir “${campaign.name}”?`}
        confirmLabel="Excluir"
        tone="danger"
        busy={busy}
        onConfirm={() =>
          void run(async () => {
            await deleteCampaign(id)
            void navigate(massPaths[campaign.origin] ?? '/campanhas')
          })
        }
        onClose={() => setAsks(false)}
      >
        Os números e a lista de quem recebeu somem com ela. As mensagens ficam nas conversas.
      </ConfirmDialog>
    </Page>
  )
}
