import type { Connection } from '@balcao/contract/channels/connections.ts'
import { type WebchatLook, webchatLook } from '@balcao/contract/channels/webchat-look.ts'
import { Alert, Button, Select, Tabs } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { connectionList, useSaveLook } from '../../../../features/channels/connections/api.ts'
import { messageOf, problemsOf } from '../../../../kit/api-error.ts'
import { resolverOf } from '../../../../kit/form.ts'
import { useUrlState } from '../../../../kit/url-state.ts'
import { useCan } from '../../../../kit/use-can.ts'
import { EmptyState } from '../../../../ui/empty-state.tsx'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { ForbiddenState } from '../../../../ui/forbidden-state.tsx'
import { LeaveGuard } from '../../../../ui/leave-guard.tsx'
import { notify } from '../../../../ui/notify.ts'
import { Page } from '../../../../ui/page.tsx'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { SkeletonList } from '../../../../ui/skeleton-list.tsx'
import { AddConnection } from '../../sessoes/add-connection.tsx'
import { InstallTab } from './install-tab.tsx'
import { LookTab } from './look-tab.tsx'
import { PreChatTab } from './prechat-tab.tsx'
import { ProactiveTab } from './proactive-tab.tsx'
import { ResourcesTab } from './resources-tab.tsx'
import classes from './webchat.module.css'
import { WindowPreview } from './window-preview.tsx'

/** How each web chat looks, what it says and asks, and how it comes into the company's site. */
export default function WebchatScreen() {
  const mayWrite = useCan('connections.write')
  const connections = useQuery({ ...connectionList, enabled: mayWrite })
  const [chosen, setChosen] = useUrlState('canal')
  if (!mayWrite) return <ForbiddenState />
  const chats = connections.data?.filter(({ kind }) => kind === 'webchat') ?? []
  const chat = chats.find(({ id }) => id === chosen) ?? chats[0]
  if (chat) return <Editor key={chat.id} chat={chat} chats={chats} onChoose={setChosen} />
  return (
    <Page header={<PageHeader title="Chat do site" purpose={purpose} actions={<AddConnection kind="webchat" />} />}>
      {connections.isError ? (
        <ErrorState message={messageOf(connections.error)} onRetry={() => void connections.refetch()} />
      ) : connections.isPending ? (
        <SkeletonList rows={6} height={76} />
      ) : (
        <EmptyState title="Nenhum chat do site ainda">
          Adicione o canal Chat do site: depois a aparência, os textos e o código para o site ficam aqui.
        </EmptyState>
      )}
    </Page>
  )
}

const purpose = 'A janela de conversa do seu site: como ela é, o que diz e pergunta, e como instalar.'
const tabs = {
  aparencia: 'Aparência e textos',
  perguntas: 'Antes de começar',
  proativas: 'Mensagens proativas',
  recursos: 'Arquivos e ajuda',
}
/** Where a field of the look stands. */
const tabOf = (path: string): keyof typeof tabs => {
  if (path.startsWith('preChat')) return 'perguntas'
  if (path.startsWith('proactive')) return 'proativas'
  return /^(upload|help|transcript)/.test(path) ? 'recursos' : 'aparencia'
}
const previewOf = (tab: string) => (tab === 'perguntas' ? 'prechat' : tab === 'proativas' ? 'offer' : 'conversation')

/** What the tabs share: the look as it is typed, and what is wrong with it, by path. */
export type Editing = {
  look: WebchatLook
  problems: Record<string, string>
  set: (patch: Partial<WebchatLook>) => void
}

type EditorProps = { chat: Connection; chats: Connection[]; onChoose: (id: string) => void }
const Editor = ({ chat, chats, onChoose }: EditorProps) => {
  const [tab, setTab] = useUrlState('aba', 'aparencia')
  const [saved, setSaved] = useState(() => ({ version: chat.version, look: lookOf(chat) }))
  const [look, setLook] = useState(saved.look)
  const [refusal, setRefusal] = useState<{ text: string; problems: Record<string, string> } | null>(null)
  const [offerId, setOfferId] = useState<string>()
  const saving = useSaveLook()
  const isDirty = JSON.stringify(look) !== JSON.stringify(saved.look)
  const wrong = isDirty ? asTexts(resolver(look)) : {}
  const editing: Editing = {
    look,
    problems: { ...refusal?.problems, ...wrong },
    set: (patch) => {
      setRefusal(null)
      setLook((now) => ({ ...now, ...patch }))
    },
  }
  // A colleague saved while this only lay open.
  if (!isDirty && chat.version > saved.version) {
    setSaved({ version: chat.version, look: lookOf(chat) })
    setLook(lookOf(chat))
  }

  const wrongTabs = new Set(Object.keys(editing.problems).map(tabOf))
  const save = async () => {
    const [first] = Object.keys(wrong)
    if (first) {
      if (![...wrongTabs].some((one) => one === tab)) setTab(tabOf(first))
      notify.error('Falta acertar o que está em vermelho.')
      return
    }
    try {
      const now = await saving.mutateAsync({ id: chat.id, version: saved.version, config: look })
      setSaved({ version: now.version, look: lookOf(now) })
      setLook(lookOf(now))
      notify.success('Chat salvo. Quem abrir o site agora já vê assim.')
    } catch (error) {
      const named = problemsOf(error)
      const problems = Object.fromEntries(named.map((one) => [one.path.replace(/^config\./, ''), one.message]))
      setRefusal({ text: messageOf(error), problems })
    }
  }

  return (
    <Page
      header={
        <PageHeader
          title="Chat do site"
          purpose={purpose}
          actions={
            tab !== 'instalar' && (
              <>
                {isDirty && (
                  <Button
                    variant="default"
                    onClick={() => {
                      setRefusal(null)
                      setLook(saved.look)
                    }}
                  >
                    Desfazer
                  </Button>
                )}
                <Button disabled={!isDirty} loading={saving.isPending} onClick={() => void save()}>
                  Salvar
                </Button>
              </>
            )
          }
        >
          {chats.length > 1 && (
            <Select
              aria-label="Canal"
              data={chats.map(({ id, name }) => ({ value: id, label: name }))}
              value={chat.id}
              allowDeselect={false}
              disabled={isDirty}
              onChange={(id) => id && onChoose(id)}
            />
          )}
        </PageHeader>
      }
    >
      <LeaveGuard active={isDirty} />
      <Tabs value={tab} onChange={(next) => next && setTab(next)} keepMounted={false}>
        <Tabs.List mb="lg">
          {Object.entries(tabs).map(([value, label]) => (
            <Tabs.Tab
              key={value}
              value={value}
              rightSection={
                [...wrongTabs].some((one) => one === value) && (
                  <IconAlertCircle size={16} color="var(--mantine-color-error)" aria-label="precisa de correção" />
                )
              }
            >
              {label}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="instalar">Instalar no site</Tabs.Tab>
        </Tabs.List>
        {refusal && (
          <Alert color="red" mb="md" role="alert">
            {refusal.text}
          </Alert>
        )}
        {tab === 'instalar' ? (
          <Tabs.Panel value="instalar">
            <InstallTab chat={chat} />
          </Tabs.Panel>
        ) : (
          <div className={classes.columns}>
            <div className={classes.form}>
              <Tabs.Panel value="aparencia">
                <LookTab {...editing} />
              </Tabs.Panel>
              <Tabs.Panel value="perguntas">
                <PreChatTab {...editing} />
              </Tabs.Panel>
              <Tabs.Panel value="proativas">
                <ProactiveTab {...editing} shownId={offerId} onShow={setOfferId} />
              </Tabs.Panel>
              <Tabs.Panel value="recursos">
                <ResourcesTab {...editing} />
              </Tabs.Panel>
            </div>
            <WindowPreview
              key={previewOf(tab)}
              chat={chat}
              look={look}
              initial={previewOf(tab)}
              offerId={offerId}
              isWrong={Object.keys(wrong).length > 0}
            />
          </div>
        )}
      </Tabs>
    </Page>
  )
}

const lookOf = ({ config }: Connection): WebchatLook => webchatLook.parse(config)
const resolver = resolverOf(webchatLook)
const asTexts = (problems: object) =>
  Object.fromEntries(Object.entries(problems).map(([path, text]) => [path, String(text)]))
