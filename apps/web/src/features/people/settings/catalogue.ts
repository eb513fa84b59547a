import { botNames } from '@balcao/contract/conversations/tickets.ts'
import { botLabels, type SwitchSetting, switchLabels } from '@balcao/contract/people/settings.ts'

export type SwitchCard = {
  name: SwitchSetting
  label: string
  /** What it is about, in one line. */
  help: string
  /** What happens while it is on, and while it is off. */
  on: string
  off: string
}
export type SwitchSection = {
  key: string
  /** The page it stands on. */
  path: `/configuracoes/${string}`
  title: string
  note?: string
  cards: SwitchCard[]
}

const card = (name: SwitchSetting, help: string, on: string, off: string): SwitchCard => ({
  name,
  label: switchLabels[name],
  help,
  on,
  off,
})

/** Every switch of a company, in the order and the words of the screen. */
export const switchSections: readonly SwitchSection[] = [
  {
    key: 'visibilidade',
    path: '/configuracoes/visibilidade',
    title: 'Quem vê cada atendimento',
    note: 'Destas três primeiras, só uma pode ficar ligada: elas respondem à mesma pergunta de formas opostas.',
    cards: [
      card(
        'NotViewAssignedTickets',
        'Um atendimento que já tem dono aparece para os outros atendentes?',
        'Cada atendente vê os próprios atendimentos e os que ainda não têm dono.',
        'Os atendentes veem também os atendimentos dos colegas das suas filas.',
      ),
      card(
        'NotViewTicketsChatBot',
        'Conversas que o robô ainda conduz, sem fila e sem atendente.',
        'Elas só aparecem quando o robô passa a conversa para uma fila ou pessoa.',
        'Elas aparecem na lista como as outras.',
      ),
      card(
        'nullticket',
        'Conversas que ainda não têm fila nem atendente.',
        'Todos as veem, seja qual for a fila de que participam.',
        'Quem participa de alguma fila vê apenas as conversas das suas filas.',
      ),
      card(
        'DirectTicketsToWallets',
        'A carteira diz quem cuida de cada contato.',
        'A conversa de um contato com carteira vai direto para quem cuida dele, e só essa pessoa a vê.',
        'A carteira é só informação: a conversa segue para a fila.',
      ),
      card(
        'supervisorAdmin',
        'Até onde vai a visão do perfil Supervisor.',
        'O supervisor vê o mesmo que um atendente.',
        'O supervisor pode ver os atendimentos de toda a equipe.',
      ),
      card(
        'mostrarGruposParaTodos',
        'Conversas de grupos do WhatsApp.',
        'Toda a equipe vê os grupos, sem filtro de fila ou de dono.',
        'Os grupos seguem as mesmas regras das outras conversas.',
      ),
      card(
        'mostrarFechadoParaTodos',
        'O histórico de atendimentos encerrados.',
        'Todos consultam os encerrados; quem tem filas, os das suas filas.',
        'Cada pessoa consulta apenas os encerrados que já podia ver.',
      ),
    ],
  },
  {
    key: 'atendimento',
    path: '/configuracoes/conversas',
    title: 'Atendimento',
    cards: [
      card(
        'allowPause',
        'Deixar uma conversa de lado até uma data, ou até o cliente responder.',
        'Os atendentes podem pausar conversas; o tempo parado não conta como atendimento.',
        'Ninguém pausa conversas.',
      ),
      card(
        'transbordo',
        'O dono da carteira está ausente quando o cliente chama.',
        'A conversa segue para a fila, e quem estiver livre atende.',
        'A conversa espera pelo dono da carteira.',
      ),
      card(
        'carteiraExterna',
        'Um assistente diante de um contato que está na carteira de alguém.',
        'Os assistentes não respondem a quem tem carteira: a conversa espera por uma pessoa.',
        'Os assistentes respondem a todos, com ou sem carteira.',
      ),
      card(
        'useUserBusinessHours',
        'O relógio dos prazos de uma conversa que já tem atendente.',
        'Conta o horário de quem atende, quando a pessoa tem um horário próprio.',
        'Conta o horário da fila, ou o da empresa.',
      ),
    ],
  },
  {
    key: 'mensagens',
    path: '/configuracoes/conversas',
    title: 'Mensagens e contatos',
    cards: [
      card(
        'campaignApproval',
        'Campanhas e envios em massa antes de começar.',
        'Só começam depois que outra pessoa, com permissão para aprovar, concorda.',
        'Quem pode criar uma campanha também a inicia.',
      ),
      card(
        'signed',
        'O nome do atendente escrito acima do texto que o cliente recebe.',
        'Toda mensagem sai assinada.',
        'Cada atendente decide se assina as próprias mensagens.',
      ),
      card(
        'atualizarNomes',
        'O nome que o cliente usa no aplicativo de mensagens.',
        'Preenche contatos que ainda não têm nome; um nome digitado pela equipe nunca muda.',
        'Contatos novos ficam com o número até alguém digitar o nome.',
      ),
    ],
  },
  {
    key: 'canais',
    path: '/configuracoes/sessoes',
    title: 'Padrões dos canais',
    note: 'Valem para os canais de agora e os que vierem. Cada canal pode decidir diferente nas opções dele.',
    cards: [
      card(
        'ignoreGroupMsg',
        'O que se escreve em grupos de que um número da empresa participa.',
        'Grupos não viram atendimento.',
        'Cada grupo é um atendimento.',
      ),
      card(
        'ignorarStories',
        'Menções em stories e respostas aos da empresa, no Instagram.',
        'Não viram atendimento.',
        'Cada uma entra na conversa com o cliente.',
      ),
      card(
        'rejectCalls',
        'Quem liga para um número da empresa, nos canais que avisam de ligações.',
        'A ligação é recusada na hora e fica anotada na conversa.',
        'O telefone toca; só a ligação não atendida fica anotada na conversa.',
      ),
    ],
  },
  {
    key: 'encerramento',
    path: '/configuracoes/encerramento',
    title: 'Encerramento',
    cards: [
      card(
        'forceReason',
        'O motivo escolhido ao encerrar um atendimento, da lista em Motivos.',
        'Ninguém encerra sem escolher um motivo.',
        'O motivo é opcional.',
      ),
      card(
        'autoClose',
        'Conversas abertas em que ninguém escreve há muito tempo.',
        'Encerram sozinhas depois do tempo definido, com a mensagem escolhida.',
        'Ficam abertas até alguém encerrar.',
      ),
    ],
  },
  {
    key: 'acesso',
    path: '/configuracoes/acesso',
    title: 'Equipe e acesso',
    cards: [
      card(
        'userCreation',
        'Cadastro de pessoas novas pelos administradores.',
        'Administradores podem criar usuários até o limite do plano.',
        'Ninguém da empresa cria usuários.',
      ),
      card(
        'worksAlone',
        'Quantas pessoas atendem.',
        'Só uma: os primeiros passos não pedem para chamar a equipe.',
        'Os primeiros passos lembram de chamar a equipe.',
      ),
      card(
        'privacidadeFunil',
        'Quem vê as oportunidades do funil.',
        'Cada pessoa vê as suas; quem supervisiona vê todas.',
        'Quem usa o funil vê todas.',
      ),
      card(
        'allowImpersonation',
        'A visita da equipe da plataforma à sua empresa, para ajudar.',
        'O suporte pode entrar com um código de uso único; a visita fica registrada e aparece na tela.',
        'Ninguém da plataforma entra na empresa.',
      ),
    ],
  },
  {
    key: 'ia',
    path: '/configuracoes/uso-ia',
    title: 'O que os modelos fazem',
    cards: [
      card(
        'aiCopilot',
        'Sugestões de resposta, correção, tradução e resumos para quem atende.',
        'Quem tem a permissão usa o copiloto ao escrever. Nada é enviado sem a pessoa.',
        'O copiloto não aparece para ninguém.',
      ),
      card(
        'transcribeAudios',
        'O que o cliente fala num áudio, escrito abaixo dele.',
        'Cada áudio recebido é transcrito, e o texto é encontrado pela busca.',
        'Os áudios ficam só para ouvir.',
      ),
      card(
        'aiMaskPersonal',
        'CPF, cartão e telefone escritos numa conversa.',
        'São trocados por marcas antes de sair, e voltam no texto que chega.',
        'Vão ao provedor como foram escritos.',
      ),
    ],
  },
  {
    key: 'assistentes',
    path: '/configuracoes/conversas',
    title: 'Assistentes',
    note: 'Um assistente que atende todas as conversas novas pode ser ligado também no próprio cadastro.',
    cards: [
      card(
        'autoDisableIntegrationsOnAccept',
        'O que acontece com o assistente quando alguém aceita a conversa.',
        'Quem aceita desliga o assistente daquela conversa.',
        'O assistente se cala enquanto a pessoa atende, e continua quando a conversa volta à espera.',
      ),
      ...botNames.map((name) =>
        card(
          `${name}AllTickets`,
          `Conversas novas e os assistentes ${botLabels[name]}.`,
          'Cada conversa nova começa com o primeiro deles que atende no canal e na fila.',
          'Só começam sozinhos os que têm isso no cadastro.',
        ),
      ),
    ],
  },
]
