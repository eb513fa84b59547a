import { type Assistant, assistantResource } from '@balcao/contract/automation/assistants/assistants.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { ActionIcon, Button, Tabs, Tooltip } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { IconArrowLeft, IconDeviceFloppy, IconHistory, IconMessageChatbot, IconRocket } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { assistantQuery, saveAssistant } from '../../../features/automation/assistants/api.ts'
import { BulkProgress } from '../../../features/operations/jobs/bulk-progress.tsx'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { focusFirstProblem } from '../../../ui/focus-first-problem.ts'
import { LeaveGuard } from '../../../ui/leave-guard.tsx'
import { notify } from '../../../ui/notify.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'
import { CasesTab } from './cases-tab.tsx'
import { ConfigFields, type Values } from './config-fields.tsx'
import classes from './editor.module.css'
import { PublishDialog } from './publish-dialog.tsx'
import { Rehearsal } from './rehearsal.tsx'
import { useEvaluationJob } from './use-evaluation-job.ts'
import { VersionsDrawer } from './versions-drawer.tsx'

const valuesOf = ({
  name,
  description,
  isActive,
  allTickets,
  connectionIds,
  queueIds,
  hours,
  evaluatesNightly,
  config,
}: Assistant): Values => ({
  ...{ name, description, isActive, allTickets, connectionIds, queueIds, hours, evaluatesNightly, config },
})

/** What plays the cases of this one, until it is published after all. */
const concerns = (job: BulkJob, { name, published }: Assistant) =>
  job.subject === name &&
  (job.total > 0 || job.state === 'failed') &&
  !(published && job.state === 'failed' && job.finishedAt && job.finishedAt < published.at)

/** What it is and may do, at the left; a phone to try it on, at the right. */
export const Editor = ({ assistant }: { assistant: Assistant }) => {
  const cache = useQueryClient()
  const [saved, setSaved] = useState(assistant)
  const [isPublishing, setPublishing] = useState(false)
  const [note, setNote] = useState('')
  const [hasVersions, setVersions] = useState(false)
  const [hasRehearsal, setRehearsal] = useState(true)
  const [search, setSearch] = useSearchParams()
  const tab = search.get('aba') === 'avaliacao' ? 'avaliacao' : 'assistente'
  const form = useForm<Values>({
    initialValues: valuesOf(assistant),
    validate: schemaResolver(assistantResource.write),
  })
  const keep = (next: Assistant) => {
    setSaved(next)
    cache.setQueryData(assistantQuery(next.id).queryKey, next)
    void cache.invalidateQueries({ queryKey: ['resource', assistantResource.event, 'list'] })
  }
  const save = useMutation({
    mutationFn: (values: Values) => saveAssistant(assistant.id, values, saved.version),
    onSuccess: (next) => {
      keep(next)
      form.setInitialValues(valuesOf(next))
      form.setValues(valuesOf(next))
      form.resetDirty()
      notify.success('Rascunho salvo.')
    },
    onError: (error) => {
      notify.error(messageOf(error))
      if (!isApiError(error) || !error.problems.length) return
      for (const { path, message } of error.problems) form.setFieldError(path, message)
      showProblems()
    },
  })
  const fields = useRef<HTMLDivElement>(null)
  const showProblems = () => {
    setSearch({}, { replace: true })
    requestAnimationFrame(() => focusFirstProblem(fields.current))
  }
  const isDirty = form.isDirty()
  const refused = useEvaluationJob(saved)
  // Published meanwhile, by a job or a colleague: what is written here stays.
  useEffect(() => {
    setSaved((now) => (assistant.version > now.version ? assistant : now))
  }, [assistant])
  const state = saved.published
    ? {
        tone: 'good' as const,
        label: `Versão ${saved.published.number}${saved.isChanged || isDirty ? ', com mudanças' : ''}`,
      }
    : { tone: 'waiting' as const, label: 'Nunca publicado' }
  return (
    <div className={classes.screen}>
      <LeaveGuard active={isDirty} />
      <header className={classes.head}>
        <ActionIcon component={Link} to="/assistentes" aria-label="Voltar aos assistentes">
          <IconArrowLeft size={18} stroke={1.75} />
        </ActionIcon>
        <h1 className={classes.title}>{form.values.name || saved.name}</h1>
        <StatusDot {...state} />
        <Tooltip label="Versões">
          <ActionIcon aria-label="Versões" size={36} variant="default" onClick={() => setVersions(true)}>
            <IconHistory size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Ensaio">
          <ActionIcon
            aria-label="Ensaio"
            aria-pressed={hasRehearsal}
            size={36}
            variant={hasRehearsal ? 'light' : 'default'}
            onClick={() => setRehearsal(!hasRehearsal)}
          >
            <IconMessageChatbot size={18} stroke={1.75} />
          </ActionIcon>
        </Tooltip>
        <Button
          variant="default"
          leftSection={<IconDeviceFloppy size={18} aria-hidden />}
          loading={save.isPending}
          disabled={!isDirty}
          onClick={() => form.onSubmit((values) => save.mutate(values), showProblems)()}
        >
          Salvar
        </Button>
        <Button
          leftSection={<IconRocket size={18} aria-hidden />}
          disabled={isDirty || !saved.isChanged}
          onClick={() => setPublishing(true)}
        >
          {refused && !isDirty ? 'Assinar e publicar' : 'Publicar'}
        </Button>
      </header>
      <BulkProgress kind="evaluateAssistant" only={(job) => concerns(job, saved)} />
      <div className={classes.body}>
        <div className={classes.form} ref={fields}>
          <Tabs
            value={tab}
            onChange={(next) => setSearch(next === 'avaliacao' ? { aba: 'avaliacao' } : {}, { replace: true })}
            keepMounted={false}
            className={classes.column}
          >
            <Tabs.List>
              <Tabs.Tab value="assistente">Assistente</Tabs.Tab>
              <Tabs.Tab value="avaliacao">Avaliação</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="assistente" pt="sm">
              <ConfigFields form={form} />
            </Tabs.Panel>
            <Tabs.Panel value="avaliacao" pt="sm">
              <CasesTab assistantId={assistant.id} published={saved.published} form={form} />
            </Tabs.Panel>
          </Tabs>
        </div>
        {hasRehearsal && (
          <Rehearsal assistantId={assistant.id} config={form.values.config} onClose={() => setRehearsal(false)} />
        )}
      </div>
      {isPublishing && (
        <PublishDialog
          assistant={saved}
          refused={refused}
          note={note}
          onNote={setNote}
          onClose={() => setPublishing(false)}
          onPublished={(next) => {
            keep(next)
            setNote('')
            setPublishing(false)
          }}
        />
      )}
      <VersionsDrawer
        assistantId={assistant.id}
        opened={hasVersions}
        onClose={() => setVersions(false)}
        onPublished={keep}
      />
    </div>
  )
}
