import { Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { settingsQuery, writeSettings } from '../../people/settings/api.ts'

/** The company's rule: may a conversation be closed without saying why? */
export const ForceReason = () => {
  const cache = useQueryClient()
  const mayWrite = useCan('settings.write')
  const settings = useQuery(settingsQuery)
  const save = useMutation({
    mutationFn: (forceReason: boolean) => writeSettings({ forceReason }),
    onSuccess: (answer) => {
      cache.setQueryData(settingsQuery.queryKey, answer)
      notify.success(answer.forceReason ? 'Encerrar passa a exigir um motivo.' : 'O motivo passa a ser opcional.')
    },
    onError: (error) => notify.error(messageOf(error)),
  })
  return (
    <Switch
      label="Exigir motivo ao encerrar"
      description={
        mayWrite
          ? 'Ligado, ninguém encerra um atendimento sem escolher um motivo ativo.'
          : 'Só administradores mudam esta regra.'
      }
      checked={save.isPending ? save.variables : (settings.data?.forceReason ?? false)}
      disabled={!mayWrite || !settings.data || save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
    />
  )
}
