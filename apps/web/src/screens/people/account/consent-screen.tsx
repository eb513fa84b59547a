import { Button, Loader, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { consentQuery } from '../../../features/core/integrations/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { AccountFrame } from './account-frame.tsx'

const back = '/configuracoes/integracoes'

/** Where a provider sends the browser back to, with its owner's consent to the use of an account, or without. */
export default function ConsentScreen() {
  const [given] = useState(() => {
    const query = new URLSearchParams(window.location.search)
    return { state: query.get('state') ?? '', code: query.get('code') }
  })
  const { data: outcome, error } = useQuery({ ...consentQuery(given), enabled: given.state !== '' })
  // The code stays in no history, and is sent to nobody as the address we came from.
  useEffect(() => {
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [])
  useEffect(() => {
    if (outcome?.inWindow && outcome.isAuthorized) window.close()
  }, [outcome])

  if (error || !given.state)
    return (
      <AccountFrame
        title="Não conseguimos concluir a autorização"
        lead={error ? messageOf(error) : 'Falta o pedido de autorização. Comece de novo em Integrações.'}
      >
        <Return to={back} />
      </AccountFrame>
    )
  if (!outcome)
    return (
      <AccountFrame title="Concluindo a autorização" lead="Só um instante.">
        <Loader aria-label="Concluindo" />
      </AccountFrame>
    )
  const { integrationId, isAuthorized, inWindow } = outcome
  return (
    <AccountFrame
      title={isAuthorized ? 'Conta autorizada' : 'A conta não foi autorizada'}
      lead={
        inWindow
          ? 'Volte à janela em que você estava. Esta aqui pode ser fechada.'
          : isAuthorized
            ? 'Ela já pode ser usada.'
            : 'O dono da conta não deu a permissão. Para tentar outra vez, abra a conta e toque em Autorizar.'
      }
    >
      {inWindow ? (
        <Button size="md" fullWidth onClick={() => window.close()}>
          Fechar
        </Button>
      ) : (
        <Return to={`${back}?registro=${integrationId}`} />
      )}
    </AccountFrame>
  )
}

const Return = ({ to }: { to: string }) => (
  <Stack gap="md">
    <Button component={Link} to={to} replace size="md" fullWidth>
      Ir para Integrações
    </Button>
  </Stack>
)
