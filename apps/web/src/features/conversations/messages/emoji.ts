/** `emoji words` per line: few, common, findable in Portuguese. */
const table = {
  Rostos: `😀 sorriso feliz
😃 sorriso alegre
😄 rindo feliz
😁 sorriso dentes
😆 gargalhada
😅 alívio suor riso
😂 chorando de rir
🤣 rolando de rir
🙂 sorriso leve
🙃 de cabeça para baixo
😉 piscadinha
😊 sorriso tímido corado
😇 anjo inocente
🥰 apaixonado carinho
😍 olhos de coração
🤩 deslumbrado estrela
😘 beijo
😋 delícia gostoso
😜 língua brincadeira
🤪 maluco
🤗 abraço
🤭 risadinha opa
🤫 silêncio segredo
🤔 pensando dúvida
🤐 boca fechada
😐 neutro
😑 sem expressão
😶 sem boca
😏 malicioso
🙄 revirando os olhos
😬 constrangido
😌 aliviado calmo
😔 triste pensativo
😪 sono
😴 dormindo
😷 máscara doente
🤒 febre termômetro
🤕 machucado
🤧 espirro gripe
🥵 calor
🥶 frio
🤯 cabeça explodindo
🥳 festa comemorar
😎 óculos escuros legal
🤓 nerd
😕 confuso
😟 preocupado
🙁 triste
😮 surpreso
😲 espantado
😳 envergonhado
🥺 pidão por favor
😢 chorando triste
😭 chorando muito
😱 medo grito
😖 aflito
😞 decepcionado
😓 suor frio
😩 cansado
🥱 bocejo tédio
😤 bufando
😡 raiva
😠 bravo
🤬 xingando
💀 caveira
💩 cocô
🤖 robô
👻 fantasma`,
  'Gestos e pessoas': `👍 joinha positivo legal
👎 negativo
👌 ok perfeito
🤌 italiano dedos
✌️ paz vitória
🤞 dedos cruzados sorte
🤟 te amo mão
🤙 me liga hang loose
👈 apontar esquerda
👉 apontar direita
👆 apontar cima
👇 apontar baixo
☝️ dedo um atenção
✋ mão pare
👋 tchau oi aceno
👏 palmas parabéns
🙌 mãos para cima viva
🤝 aperto de mãos acordo
🙏 obrigado por favor oração
💪 força músculo
✍️ escrevendo
🤳 selfie
👀 olhos vendo
🧠 cérebro
👶 bebê
👦 menino
👧 menina
👨 homem
👩 mulher
👴 idoso
👵 idosa
🙋 levantando a mão
🙆 tudo bem
🤷 não sei dar de ombros
🤦 mão no rosto
👨‍💻 programador computador
👩‍💻 programadora computador
👨‍⚕️ médico
👩‍⚕️ médica
👪 família`,
  Corações: `❤️ coração vermelho amor
🧡 coração laranja
💛 coração amarelo
💚 coração verde
💙 coração azul
💜 coração roxo
🖤 coração preto
🤍 coração branco
💔 coração partido
💕 corações
💖 coração brilhando
💯 cem por cento
💥 explosão
✨ brilho estrelas
⭐ estrela
🌟 estrela brilhante
🔥 fogo
🎉 festa confete parabéns
🎊 comemoração
🎁 presente
🎂 bolo aniversário
🎈 balão
🏆 troféu
🥇 medalha ouro`,
  Trabalho: `✅ certo feito confirmado
☑️ marcado
✔️ certo
❌ errado cancelar
❗ exclamação importante
❓ interrogação pergunta
⚠️ atenção aviso
🚫 proibido
⏰ despertador hora
⏳ ampulheta aguarde
⌛ ampulheta tempo
🕐 relógio horas
📅 calendário data
📆 agenda
📌 alfinete fixado
📍 local endereço
📎 clipe anexo
📄 documento página
📋 prancheta lista
📝 nota escrever
📊 gráfico
📈 subindo gráfico
📉 descendo gráfico
📦 caixa pacote encomenda
🚚 entrega caminhão
🛵 entrega moto
🛒 carrinho compras
🛍️ sacolas compras
🏪 loja
🏠 casa
🏢 prédio empresa
🏥 hospital
💰 dinheiro
💵 nota dinheiro
💳 cartão pagamento
🧾 recibo nota fiscal
💸 gastando dinheiro
🏦 banco
📞 telefone
📱 celular
💻 notebook computador
🖥️ computador
🖨️ impressora
📷 câmera foto
🎥 vídeo
🎧 fone
🔔 sino notificação
🔕 sem som
🔒 cadeado seguro
🔓 aberto cadeado
🔑 chave
🔧 ferramenta conserto
🔍 lupa buscar
💡 ideia lâmpada
📣 megafone anúncio
💬 conversa balão
📧 e-mail
📨 mensagem recebida
📬 correio caixa
🔗 link
♻️ reciclar
🆕 novo
🆗 ok
🆘 socorro`,
  'Dia a dia': `☕ café
🍵 chá
🍺 cerveja
🥂 brinde
🍕 pizza
🍔 hambúrguer
🍟 batata frita
🍰 fatia de bolo
🍫 chocolate
🍓 morango
🍎 maçã
🥗 salada
🌞 sol
🌙 lua
☀️ sol dia
⛅ nuvem sol
🌧️ chuva
❄️ neve frio
🌈 arco-íris
🌹 rosa flor
🌻 girassol flor
🌱 planta muda
🐶 cachorro
🐱 gato
🐦 pássaro
⚽ futebol bola
🎮 jogo videogame
🎵 música
✈️ avião viagem
🚗 carro
🚌 ônibus
🏖️ praia
💊 remédio
💉 vacina injeção
🦷 dente
🩺 médico estetoscópio
👗 vestido roupa
👟 tênis
👜 bolsa
💍 anel
💄 batom
🇧🇷 brasil bandeira`,
}

export const emojiGroups = Object.entries(table).map(([name, lines]) => ({
  name,
  emoji: lines.split('\n').map((line) => {
    const [char = '', ...words] = line.split(' ')
    return { char, words: words.join(' ') }
  }),
}))
