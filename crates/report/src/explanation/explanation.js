"use strict";
// The page of an explanation. All that it shows comes from the element `data`, as text, never as markup.
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("data").textContent);
  const BOX = { width: 236, height: 74, gapX: 28, gapY: 56, letters: 30 };
  const MARGIN = 40;
  // Boxes that are unfolded at first.
  const FIRST = 24;

  let graph = data.short;
  let unfolded = new Set();
  let zoom = 1;
  let chosen = null;
  let plan = null;

  // ---- Elements ----

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...children);
    return node;
  }
  const html = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
  const svg = (name, attributes = {}, ...children) =>
    fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

  // Names differ at their ends more often than in the middle.
  function cut(text, most) {
    const letters = [...text];
    if (letters.length <= most) return text;
    const right = Math.floor((most - 1) / 2);
    return letters.slice(0, most - 1 - right).join("") + "…" + letters.slice(letters.length - right).join("");
  }

  const labels = (state) => (state.props.length ? `{${state.props.join(", ")}}` : "");

  // ---- Head ----

  function showHead() {
    document.title = `${data.property}: ${data.verdict}`;
    byId("verdict").textContent = data.verdict;
    byId("verdict").classList.add(data.verdict);
    byId("property").textContent = data.property;
    byId("formula").textContent = `${data.logic} ${data.formula}`;
    // Formulas stand between backticks.
    const parts = data.conclusion.split("`");
    byId("conclusion").append(...parts.map((part, index) => (index % 2 ? html("code", {}, part) : part)));
    const cutNote = data.cut ? ` · ${data.cut} positions were not looked at, because there are too many` : "";
    byId("origin").textContent = `${data.files.join(", ")} · tertium ${data.version}${cutNote}`;
  }

  // ---- Trace ----

  function showTrace() {
    if (!data.trace) return;
    byId("trace").hidden = false;
    const rows = data.trace.rows;
    const arrows = [...rows.map((row) => row.arrow), data.trace.back_arrow];
    const hasArrows = arrows.some((arrow) => arrow && arrow !== "->");
    // What a model by variables has true follows from their values.
    const variables = data.trace.variables;
    const hasProps = !variables && rows.some((row) => data.states[row.state].props.length);
    const columns = variables ?? data.components;
    const heads = ["step", ...(hasArrows ? ["by"] : []), ...columns, ...(hasProps ? ["true"] : [])];
    const head = html("tr", {}, ...heads.map((name) => html("th", { scope: "col" }, name)));
    const body = html("tbody");
    let last = null;
    rows.forEach((row, number) => {
      body.append(traceRow(row, number, hasArrows, hasProps, last));
      last = row;
    });
    if (data.trace.back !== null) {
      const arrow = hasArrows && data.trace.back_arrow ? `${data.trace.back_arrow} ` : "";
      const cell = html("td", { class: "loop", colspan: heads.length }, `${arrow}back to step ${data.trace.back}`);
      body.append(html("tr", {}, cell));
    }
    byId("table").append(html("thead", {}, head), body);
  }

  function traceRow(row, number, hasArrows, hasProps, last) {
    const state = data.states[row.state];
    const cells = [html("td", {}, `${number === data.trace.back ? "↻ " : ""}${number}`)];
    if (hasArrows) cells.push(html("td", {}, row.arrow ?? ""));
    const cellsOf = (of) => of.values ?? data.states[of.state].members;
    cellsOf(row).forEach((member, index) => {
      const before = last && cellsOf(last)[index];
      const changed = before && member && before !== member;
      cells.push(html("td", changed ? { class: "changed", title: member } : { title: member ?? "" }, member ?? "·"));
    });
    const props = state.props.join(", ");
    const isNew = last && state.props.some((prop) => !data.states[last.state].props.includes(prop));
    if (hasProps) cells.push(html("td", isNew ? { class: "changed", title: props } : { title: props }, props));
    return html("tr", { tabindex: 0, "data-node": row.node }, ...cells);
  }

  function listenToTrace() {
    const table = byId("table");
    const rowOf = (event) => event.target.closest("tr[data-node]");
    const point = (event) => rowOf(event) && choose(Number(rowOf(event).dataset.node));
    table.addEventListener("pointerover", point);
    table.addEventListener("focusin", point);
    const go = (event) => rowOf(event) && reveal(Number(rowOf(event).dataset.node));
    table.addEventListener("click", go);
    table.addEventListener("keydown", (event) => event.key === "Enter" && go(event));
  }

  // ---- Which boxes there are, and where ----

  // Each box stands below the first one that leads to it.
  function tree(isUnfolded) {
    const parent = new Map(graph.roots.map((root) => [root, null]));
    const order = [...parent.keys()];
    const sons = new Map();
    for (let next = 0; next < order.length; next++) {
      const node = order[next];
      const mine = [];
      for (const son of isUnfolded(node, order.length) ? graph.nodes[node].sons : []) {
        if (parent.has(son.to)) continue;
        parent.set(son.to, node);
        order.push(son.to);
        mine.push(son.to);
      }
      sons.set(node, mine);
    }
    return { order, parent, sons };
  }

  function layOut() {
    const { order, parent, sons } = tree((node) => unfolded.has(node));
    const span = new Map();
    for (const node of [...order].reverse()) {
      span.set(node, Math.max(1, sons.get(node).reduce((sum, son) => sum + span.get(son), 0)));
    }
    const start = new Map();
    const level = new Map();
    let next = 0;
    for (const root of order.filter((node) => parent.get(node) === null)) {
      start.set(root, next);
      level.set(root, 0);
      next += span.get(root);
    }
    for (const node of order) {
      let left = start.get(node);
      for (const son of sons.get(node)) {
        start.set(son, left);
        level.set(son, level.get(node) + 1);
        left += span.get(son);
      }
    }
    const boxes = new Map();
    for (const node of order) {
      const x = MARGIN + (start.get(node) + span.get(node) / 2) * (BOX.width + BOX.gapX);
      boxes.set(node, { x, y: MARGIN + level.get(node) * (BOX.height + BOX.gapY), level: level.get(node) });
    }
    const depth = order.length ? level.get(order[order.length - 1]) : 0;
    const width = 2 * MARGIN + next * (BOX.width + BOX.gapX) + 60;
    const height = 2 * MARGIN + (depth + 1) * (BOX.height + BOX.gapY);
    plan = { order, parent, sons, boxes, edges: edges(order, parent), width, height };
  }

  // Parallel steps are one edge with several labels.
  function edges(order, parent) {
    const shown = new Set(order);
    const all = [];
    for (const node of order.filter((node) => unfolded.has(node))) {
      const mine = new Map();
      for (const son of graph.nodes[node].sons) {
        if (!shown.has(son.to)) continue;
        const edge = mine.get(son.to) ?? { from: node, to: son.to, actions: [], may: true, here: true };
        const action = son.arrow?.replace(/^-(.*)[-?]>$/, "$1");
        if (son.one_of) edge.actions.push("one of");
        else if (action && son.arrow.length > 2) edge.actions.push(action);
        edge.may &&= son.may;
        edge.here &&= son.arrow === null;
        edge.back = parent.get(son.to) !== node;
        mine.set(son.to, edge);
      }
      all.push(...mine.values());
    }
    return all;
  }

  // ---- Drawing: only what is in sight ----

  const canvas = byId("canvas");
  const arrowHead = (id) =>
    svg("marker", { id, viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
      svg("path", { d: "M0 0L10 5L0 10z" }));
  const edgeLayer = svg("g");
  const nodeLayer = svg("g");
  const picture = svg("svg", {}, svg("defs", {}, arrowHead("arrow"), arrowHead("arrow-back")), edgeLayer, nodeLayer);
  canvas.append(picture);

  function refresh() {
    layOut();
    picture.setAttribute("viewBox", `0 0 ${plan.width} ${plan.height}`);
    picture.setAttribute("width", plan.width * zoom);
    picture.setAttribute("height", plan.height * zoom);
    byId("count").textContent = `${plan.order.length} of ${graph.nodes.length} positions`;
    draw();
  }

  function sight() {
    const reach = 300;
    const left = canvas.scrollLeft / zoom - reach;
    const top = canvas.scrollTop / zoom - reach;
    const right = (canvas.scrollLeft + canvas.clientWidth) / zoom + reach;
    const bottom = (canvas.scrollTop + canvas.clientHeight) / zoom + reach;
    return (x1, y1, x2, y2) => x2 >= left && x1 <= right && y2 >= top && y1 <= bottom;
  }

  function draw() {
    const inSight = sight();
    const focus = document.activeElement?.dataset?.box;
    const isTold = !tip.hidden;
    const isNear = ({ x, y }) => inSight(x - BOX.width / 2, y, x + BOX.width / 2, y + BOX.height);
    edgeLayer.replaceChildren(...plan.edges.filter((edge) => edgeIsNear(edge, inSight)).flatMap(drawEdge));
    nodeLayer.replaceChildren(...plan.order.filter((node) => isNear(plan.boxes.get(node))).map(drawNode));
    if (focus !== undefined) boxOf(Number(focus))?.focus({ preventScroll: true });
    if (!isTold) hideTip();
  }

  function edgeIsNear({ from, to }, inSight) {
    const [a, b] = [plan.boxes.get(from), plan.boxes.get(to)];
    const bend = BOX.width / 2 + 60;
    const [top, bottom] = [Math.min(a.y, b.y), Math.max(a.y, b.y) + BOX.height];
    return inSight(Math.min(a.x, b.x) - BOX.width / 2, top, Math.max(a.x, b.x) + bend, bottom);
  }

  function down(a, b) {
    const start = a.y + BOX.height;
    const middle = (start + b.y) / 2;
    const path = `M${a.x} ${start}C${a.x} ${middle} ${b.x} ${middle} ${b.x} ${b.y}`;
    return { path, x: (a.x + b.x) / 2 + 6, y: middle };
  }

  // From side to side; between boxes that stand above each other, or from one to itself, round the right.
  function across(a, b) {
    const half = BOX.width / 2;
    const isRound = Math.abs(a.x - b.x) < BOX.width;
    const apart = a === b ? BOX.height / 4 : 0;
    const [y1, y2] = [a.y + BOX.height / 2 + apart, b.y + BOX.height / 2 - apart];
    const side = isRound || b.x > a.x ? 1 : -1;
    const [x1, x2] = [a.x + side * half, b.x + (isRound ? half : -side * half)];
    const [c1, c2] = isRound ? [Math.max(x1, x2) + 44, Math.max(x1, x2) + 44] : [x1 + side * 60, x2 - side * 60];
    const x = isRound ? c1 - 10 : (x1 + x2) / 2;
    return { path: `M${x1} ${y1}C${c1} ${y1} ${c2} ${y2} ${x2} ${y2}`, x, y: (y1 + y2) / 2 };
  }

  function drawEdge(edge) {
    const [a, b] = [plan.boxes.get(edge.from), plan.boxes.get(edge.to)];
    const { path, x, y } = b.y > a.y ? down(a, b) : across(a, b);
    const kind = ["edge", edge.here ? "here" : edge.may ? "may" : "must", edge.back ? "back" : ""].join(" ");
    const drawn = [svg("path", { class: kind, d: path, "data-from": edge.from, "data-to": edge.to })];
    if (edge.actions.length) drawn.push(svg("text", { class: "action", x, y: y + 4 }, cut(edge.actions.join(", "), 24)));
    return drawn;
  }

  function drawNode(number) {
    const node = graph.nodes[number];
    const { x, y } = plan.boxes.get(number);
    const state = data.states[node.state];
    const isOpen = unfolded.has(number);
    const line = (text, name, row) => svg("text", { class: name, x: 0, y: 20 + 19 * row }, cut(text, BOX.letters));
    const claim = `${cut(data.formulas[node.formula], BOX.letters - node.verb.length - 1)} ${node.verb}`;
    const group = svg("g", {
      class: ["node", node.value, graph.roots.includes(number) ? "root" : "", node.sons.length ? "" : "leaf", number === chosen ? "chosen" : ""].join(" "),
      transform: `translate(${x} ${y})`,
      tabindex: 0,
      role: "button",
      "data-box": number,
      "aria-label": `${state.name}: ${data.formulas[node.formula]} ${node.verb}`,
      "aria-describedby": "tip",
    }, svg("rect", { x: -BOX.width / 2, width: BOX.width, height: BOX.height, rx: 9 }));
    const about = labels(state);
    group.append(line(state.short ?? state.name, "state", 0), line(claim, "claim", 1), line(about || node.reason, "props", 2));
    if (node.sons.length) {
      group.setAttribute("aria-expanded", isOpen);
      group.append(svg("g", { class: "sign", transform: `translate(0 ${BOX.height})` },
        svg("circle", { r: 8 }), svg("text", { y: 4 }, isOpen ? "−" : "+")));
    }
    return group;
  }

  const boxOf = (number) => nodeLayer.querySelector(`[data-box="${number}"]`);

  // ---- What a click does ----

  function toggle(number) {
    if (!graph.nodes[number].sons.length) return;
    if (!unfolded.delete(number)) unfolded.add(number);
    refresh();
  }

  function unfoldFirst() {
    unfolded = new Set();
    tree((node, shown) => {
      if (shown < FIRST) unfolded.add(node);
      return shown < FIRST;
    });
  }

  function unfoldAll() {
    unfolded = new Set(graph.nodes.keys());
    refresh();
  }

  function foldAll() {
    unfolded = new Set();
    refresh();
    canvas.scrollTo(0, 0);
  }

  function choose(number) {
    boxOf(chosen)?.classList.remove("chosen");
    chosen = graph === data.short ? number : null;
    boxOf(chosen)?.classList.add("chosen");
  }

  // Unfolds what leads to a box and brings it into sight.
  function reveal(number) {
    if (graph !== data.short) return;
    if (!plan.boxes.has(number)) {
      const { parent } = tree(() => true);
      for (let node = parent.get(number); node !== null && node !== undefined; node = parent.get(node)) unfolded.add(node);
      refresh();
    }
    choose(number);
    bringIntoSight(number);
  }

  function bringIntoSight(number) {
    const { x, y } = plan.boxes.get(number);
    canvas.scrollTo(x * zoom - canvas.clientWidth / 2, (y + BOX.height / 2) * zoom - canvas.clientHeight / 2);
    draw();
  }

  function scale(factor) {
    zoom = Math.min(3, Math.max(0.1, factor));
    refresh();
  }

  const fitting = () => Math.min(1, canvas.clientWidth / plan.width, canvas.clientHeight / plan.height);

  // ---- Neighbours, by keyboard ----

  function neighbour(number, key) {
    const level = plan.boxes.get(number).level;
    const row = plan.order.filter((node) => plan.boxes.get(node).level === level);
    const place = row.indexOf(number);
    switch (key) {
      case "ArrowUp": return plan.parent.get(number);
      case "ArrowDown": return plan.sons.get(number)[0];
      case "ArrowLeft": return row[place - 1];
      case "ArrowRight": return row[place + 1];
    }
  }

  function press(event) {
    const box = event.target.closest("[data-box]");
    if (event.key === "Escape") return hideTip();
    if (!box) return;
    const number = Number(box.dataset.box);
    const next = neighbour(number, event.key);
    if (event.key === "Enter" || event.key === " ") toggle(number);
    else if (next !== undefined && next !== null) {
      bringIntoSight(next);
      boxOf(next)?.focus({ preventScroll: true });
    } else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }

  // ---- What the pointer or the focus is on ----

  const tip = byId("tip");

  // The edges of a box stand out while it is looked at.
  function light(number) {
    for (const edge of edgeLayer.querySelectorAll(".lit")) edge.classList.remove("lit");
    const mine = `[data-from="${number}"], [data-to="${number}"]`;
    for (const edge of number === null ? [] : edgeLayer.querySelectorAll(mine)) edge.classList.add("lit");
  }

  function showTip(box) {
    light(box.dataset.box);
    const node = graph.nodes[Number(box.dataset.box)];
    const state = data.states[node.state];
    const members = state.members.map((member, index) => `${data.components[index]} = ${member ?? "·"}`).join(", ");
    const lines = [html("p", { class: "formula" }, data.formulas[node.formula]),
      html("p", {}, `${node.verb} in ${state.name}${node.reason ? `, ${node.reason}` : ""}`),
      html("p", { class: "soft" }, [members, labels(state)].filter(Boolean).join(" · "))];
    tip.replaceChildren(...lines);
    tip.hidden = false;
    const place = box.getBoundingClientRect();
    const fitsRight = place.right + 12 + tip.offsetWidth < innerWidth;
    const left = fitsRight ? place.right + 12 : Math.max(8, place.left - tip.offsetWidth - 12);
    tip.style.left = `${left}px`;
    tip.style.top = `${Math.max(8, Math.min(place.top, innerHeight - tip.offsetHeight - 8))}px`;
  }

  function hideTip() {
    light(null);
    tip.hidden = true;
  }

  function listenToGraph() {
    const boxAt = (event) => event.target.closest("[data-box]");
    picture.addEventListener("click", (event) => boxAt(event) && toggle(Number(boxAt(event).dataset.box)));
    for (const name of ["pointerover", "focusin"]) {
      picture.addEventListener(name, (event) => boxAt(event) && showTip(boxAt(event)));
    }
    for (const name of ["pointerout", "focusout"]) picture.addEventListener(name, hideTip);
    picture.addEventListener("keydown", press);
    let waits = false;
    const later = () => {
      if (waits) return;
      waits = true;
      requestAnimationFrame(() => { waits = false; draw(); });
    };
    canvas.addEventListener("scroll", () => { hideTip(); later(); });
    addEventListener("resize", later);
  }

  function listenToTools() {
    byId("unfold").addEventListener("click", unfoldAll);
    byId("fold").addEventListener("click", foldAll);
    byId("larger").addEventListener("click", () => scale(zoom * 1.25));
    byId("smaller").addEventListener("click", () => scale(zoom / 1.25));
    byId("whole").addEventListener("click", () => scale(fitting()));
    byId("every").addEventListener("change", (event) => {
      graph = event.target.checked ? data.full : data.short;
      chosen = null;
      start();
    });
  }

  function start() {
    unfoldFirst();
    refresh();
    scale(Math.max(0.5, fitting()));
    const root = plan.boxes.get(graph.roots[0]);
    if (root) canvas.scrollTo(root.x * zoom - canvas.clientWidth / 2, 0);
    draw();
  }

  showHead();
  showTrace();
  listenToTrace();
  listenToGraph();
  listenToTools();
  start();
})();
